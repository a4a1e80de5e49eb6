// Answers the clients of a listening socket on a thread of its own: one request after the other, each on its
// own connection. Each request is read as its bytes come. So a client that sends little does not keep other
// clients waiting.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "serve/request.h"

namespace slaq::serve {

class RequestLoop {
 public:
  // Answers a request on its client's connection, which is closed afterwards. Called on the loop's thread.
  using Answer = std::function<void(int client, Request& request)>;

  // Takes the socket, which is closed with this. Everything that `answer` uses outlives the loop. A client
  // has two seconds to send a request's head, and two more for a body of at most `mostOfBody` bytes.
  RequestLoop(int listening, std::size_t mostOfBody, Answer answer);
  ~RequestLoop();
  RequestLoop(const RequestLoop&) = delete;
  RequestLoop& operator=(const RequestLoop&) = delete;

  int socket() const { return listening_; }
  // Ends the thread. The socket stays open.
  void stop();

 private:
  using Clock = std::chrono::steady_clock;
  struct Client {
    int socket;
    std::string bytes;
    Clock::time_point until;
    bool hasHead = false;
  };

  void run(const std::stop_token& stop);
  void accept();
  // True once the client is done with, or is given up.
  bool advance(Client& client);

  const int listening_;
  const std::size_t mostOfBody_;
  const Answer answer_;
  std::vector<Client> clients_;  // whose requests are not whole yet, the oldest first
  std::jthread thread_;          // the last member: it uses all the others
};

}  // namespace slaq::serve
