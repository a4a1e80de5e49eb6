// Connections of a small HTTP server: one client at a time, each request on its own connection.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace slaq::report {

// Both return -1 and set errno if it can't be done.
int listenOnAll(int port);  // on all addresses of IPv4 and IPv6
int listenOnLoopback();     // on a free port, for programs of this machine

// Of a socket that listens, as it stands in a URL: "127.0.0.1:40123".
std::string addressOf(int socket);

// Waits for a client for a short while; -1 if none came. A client that does not go on for two seconds is one
// that has ended.
int acceptSoon(int socket);

struct Request {
  std::string head;  // the request line and the headers, each with its line end
  std::string body;
};

// Reads a request whose body has at most `mostOfBody` bytes. Empty if the client sent none or a longer one.
std::optional<Request> readRequest(int client, std::size_t mostOfBody);

// Returns the value of a header of the request, whose name is in lower case; empty if it is not there.
std::string_view headerOf(const Request& request, std::string_view name);

// `status`: "200 OK". Returns whether all was sent.
bool answerWith(int client, std::string_view status, std::string_view type, std::string_view body);

}  // namespace slaq::report
