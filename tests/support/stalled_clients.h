// Clients that connect to a server on 127.0.0.1, send a part of a request and then do nothing.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace slaq::test {

class StalledClients {
 public:
  StalledClients(int port, int count, std::string_view sent) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    for (int i = 0; i < count; ++i) {
      sockets_.push_back(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
      if (connect(sockets_.back(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
        throw std::runtime_error("no connection to the server");
      static_cast<void>(send(sockets_.back(), sent.data(), sent.size(), MSG_NOSIGNAL));
    }
  }
  ~StalledClients() {
    for (const int each : sockets_) close(each);
  }
  StalledClients(const StalledClients&) = delete;
  StalledClients& operator=(const StalledClients&) = delete;

 private:
  std::vector<int> sockets_;
};

}  // namespace slaq::test
