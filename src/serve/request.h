// A request of HTTP, as far as slaq's small servers need it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace slaq::serve {

struct Request {
  std::string head;  // the request line and the headers, each with its line end
  std::string body = {};
  bool isTooLong = false;  // its body has more bytes than the server takes, and was not read
};

// Returns the value of a header of the request, whose name is in lower case; empty if it is not there.
std::string_view headerOf(const Request& request, std::string_view name);

// The request that the bytes begin with. Empty where it is not whole yet; Malformed where it can't become a
// request with a body of at most `mostOfBody` bytes, or one that is too long.
struct Reading {
  std::optional<Request> request = {};
  bool isMalformed = false;
  bool hasHead = false;  // its head is whole
};
Reading readRequest(std::string_view bytes, std::size_t mostOfBody);

}  // namespace slaq::serve
