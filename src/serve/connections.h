// Connections of a small HTTP server: one client at a time, each request on its own connection.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>

namespace slaq::serve {

// Each returns -1 and sets errno on failure.
int listenOnAll(int port);  // on all addresses of IPv4 and IPv6
int listenOnLoopback();     // on a free port, for programs of this machine
// Listens on a Unix socket that every user may connect to, or only this one and root. A socket whose server
// is gone is replaced. Fails with EADDRINUSE if a server listens there, and with EEXIST if the path is
// something else than a socket.
int listenOn(const std::string& path, bool isForAll = true);
// True if a server listens on the Unix socket of this path.
bool isServed(const std::string& path);

// The address of a listening socket, as it stands in a URL: "127.0.0.1:40123".
std::string addressOf(int socket);
int portOf(int socket);

// Waits for a client for a short while; -1 if none came.
int acceptSoon(int socket);

// The process at the other end of a Unix socket's connection.
struct Peer {
  uid_t user = 0;
  gid_t group = 0;
};
// Empty where the kernel does not say.
std::optional<Peer> peerOf(int client);

struct Request {
  std::string head;  // the request line and the headers, each with its line end
  std::string body;
};

// Reads the head of a request, and the part of its body that has come with it. Empty if the client did not
// send a head within two seconds.
std::optional<Request> readHead(int client);
// Reads the rest of the body. Empty if it has more than `mostOfBody` bytes, or did not come within two
// seconds.
std::optional<Request> readBody(int client, Request request, std::size_t mostOfBody);

// Returns the value of a header of the request, whose name is in lower case; empty if it is not there.
std::string_view headerOf(const Request& request, std::string_view name);

// `status`: "200 OK". Returns whether all was sent; a client has two seconds to read it.
bool answerWith(int client, std::string_view status, std::string_view type, std::string_view body);

}  // namespace slaq::serve
