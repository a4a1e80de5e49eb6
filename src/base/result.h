// Errors as values. Every call that can fail for a reason outside the program returns a Result;
// an adapter turns its library's exceptions into Errors where they arise. Broken invariants abort.
#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>

namespace slaq {

enum class ErrorKind {
  Transient,  // may succeed if tried again: time-outs, 429, 5xx, refused connections
  Conflict,   // somebody else changed the object: read it again and decide again
  Gone,       // a resource version or a continue token is too old: list again
  NotFound,
  Forbidden,  // refused credentials or missing rights
  Malformed,  // what came back cannot be read
  Invalid,    // what we or a user wrote is refused
};

std::string_view name(ErrorKind kind);

// The one table of what is worth trying again unchanged.
constexpr bool retriable(ErrorKind kind) { return kind == ErrorKind::Transient; }

struct Error {
  ErrorKind kind = ErrorKind::Transient;
  std::string message;  // one sentence for a person: what is wrong, where, what to do instead

  bool operator==(const Error&) const = default;
};

// The first `most` bytes of a text, or up to three fewer, so that no character of UTF-8 is divided.
std::string_view truncated(std::string_view text, std::size_t most);

// Text from outside as a part of such a sentence: control characters, which would break its line or steer a
// terminal, as \x1b, and what is too long for a sentence cut off.
std::string printable(std::string_view outside);

template <class T>
class [[nodiscard]] Result : public tl::expected<T, Error> {
 public:
  using tl::expected<T, Error>::expected;
};

inline tl::unexpected<Error> failure(ErrorKind kind, std::string message) {
  return tl::unexpected<Error>(Error{kind, std::move(message)});
}

inline tl::unexpected<Error> failure(Error error) { return tl::unexpected<Error>(std::move(error)); }

}  // namespace slaq
