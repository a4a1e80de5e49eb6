// The sockets of small HTTP servers, and their answers.
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

// The process at the other end of a Unix socket's connection.
struct Peer {
  uid_t user = 0;
  gid_t group = 0;
};
// Empty where the kernel does not say.
std::optional<Peer> peerOf(int client);

// `status`: "200 OK". Returns whether all was sent; a client has two seconds to read it.
bool answerWith(int client, std::string_view status, std::string_view type, std::string_view body);

}  // namespace slaq::serve
