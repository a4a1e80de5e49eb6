// Requests over a Unix socket, whole and in parts.
#include "serve/request_loop.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <memory>
#include <string>
#include <vector>

#include "local/support.h"
#include "serve/connections.h"

namespace slaq::serve {
namespace {

// Connects, and closes the connection at its end.
class Client {
 public:
  explicit Client(const std::string& path) : socket_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path.copy(address.sun_path, sizeof address.sun_path - 1);
    EXPECT_EQ(::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  }
  ~Client() { ::close(socket_); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  void say(const std::string& text) const { ::send(socket_, text.data(), text.size(), MSG_NOSIGNAL); }
  // All that comes until the server closes the connection.
  std::string answer() const {
    std::string text;
    char buffer[4096];
    for (ssize_t n = 0; (n = ::recv(socket_, buffer, sizeof buffer, 0)) > 0;)
      text.append(buffer, static_cast<std::size_t>(n));
    return text;
  }

 private:
  int socket_;
};

class Requests : public ::testing::Test {
 protected:
  const local::TemporaryDirectory directory_;
  const std::string path_ = (directory_ / "a.sock").string();
  // Answers with the body, as far as it was read.
  RequestLoop loop_{listenOn(path_), 10, [](int client, Request& request) {
                      answerWith(client, request.isTooLong ? "413 Too Long" : "200 OK", "text/plain",
                                 request.body);
                    }};
};

TEST_F(Requests, AreAnsweredOnceTheyAreWhole) {
  const Client client(path_);
  for (const char* part : {"POST /a HT", "TP/1.1\r\ncontent-LENGTH: 4\r\n", "\r\nbo", "dy"}) client.say(part);
  EXPECT_TRUE(client.answer().ends_with("\r\n\r\nbody"));
}

TEST_F(Requests, WithTooLongBodiesAreAnsweredWithoutThem) {
  const Client client(path_);
  client.say("POST /a HTTP/1.1\r\nContent-Length: 11\r\n\r\n");
  EXPECT_TRUE(client.answer().starts_with("HTTP/1.1 413"));
}

TEST_F(Requests, ThatCannotBeReadAreNotAnswered) {
  const Client negative(path_), endless(path_);
  negative.say("POST /a HTTP/1.1\r\nContent-Length: -1\r\n\r\n");
  endless.say(std::string(20'000, 'x'));
  EXPECT_EQ(negative.answer(), "");
  EXPECT_EQ(endless.answer(), "");
}

// More clients than a server keeps say nothing, or only a part.
TEST_F(Requests, DoNotWaitForClientsThatSayLittle) {
  std::vector<std::unique_ptr<Client>> others;
  for (int i = 0; i < 100; ++i) {
    others.push_back(std::make_unique<Client>(path_));
    if (i % 2 == 0) others.back()->say("GET / HTTP/1.1\r\n");
  }
  const Client client(path_);
  client.say("GET / HTTP/1.1\r\n\r\n");
  EXPECT_TRUE(client.answer().starts_with("HTTP/1.1 200"));
}

TEST_F(Requests, ThatNeverEndAreGivenUp) {
  const Client client(path_);
  client.say("GET / HTTP/1.1\r\n");
  EXPECT_EQ(client.answer(), "");
}

}  // namespace
}  // namespace slaq::serve
