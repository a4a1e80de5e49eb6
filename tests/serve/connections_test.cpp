// Unix sockets that are listened on, and who connects to them.
#include "serve/connections.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <thread>
#include <vector>

#include "local/support.h"

namespace slaq::serve {
namespace {

// Closes it at the end.
class Socket {
 public:
  explicit Socket(int socket) : socket_(socket) {}
  ~Socket() { ::close(socket_); }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;
  operator int() const { return socket_; }

 private:
  int socket_;
};

int connected(const std::string& path) {
  const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  EXPECT_EQ(::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  return socket;
}

class UnixSocket : public ::testing::Test {
 protected:
  const local::TemporaryDirectory directory_;
  const std::string path_ = (directory_ / "a.sock").string();
};

TEST_F(UnixSocket, IsOpenToEveryUser) {
  const Socket listening(listenOn(path_));
  ASSERT_GE(listening, 0);
  struct stat there {};
  ASSERT_EQ(::stat(path_.c_str(), &there), 0);
  EXPECT_EQ(there.st_mode & 0777u, 0666u);
}

TEST_F(UnixSocket, TellsWhoConnects) {
  const Socket listening(listenOn(path_));
  const Socket client(connected(path_));
  const Socket accepted(::accept(listening, nullptr, nullptr));
  ASSERT_GE(accepted, 0);
  const auto peer = peerOf(accepted);
  ASSERT_TRUE(peer);
  EXPECT_EQ(peer->user, ::getuid());
  EXPECT_EQ(peer->group, ::getgid());
  EXPECT_FALSE(peerOf(-1));
}

TEST_F(UnixSocket, IsNotHeldByAClientThatReadsLittleAtATime) {
  const Socket listening(listenOn(path_));
  const Socket client(connected(path_));
  const Socket accepted(::accept(listening, nullptr, nullptr));
  const std::jthread reading([&](const std::stop_token& stop) {
    char buffer[4096];
    while (!stop.stop_requested() && ::recv(client, buffer, sizeof buffer, MSG_DONTWAIT) != 0)
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
  });
  const auto begun = std::chrono::steady_clock::now();
  EXPECT_FALSE(answerWith(accepted, "200 OK", "text/plain", std::string(64u << 20, 'x')));
  EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(10));
}

TEST_F(UnixSocket, TakesALongAnswerFromAClientThatReads) {
  constexpr std::size_t kLong = 1u << 20;  // more than the socket holds
  const Socket listening(listenOn(path_));
  const Socket client(connected(path_));
  const Socket accepted(::accept(listening, nullptr, nullptr));
  std::size_t received = 0;
  {
    const std::jthread reading([&] {
      std::vector<char> buffer(64u << 10);
      for (ssize_t n = 0; (n = ::recv(client, buffer.data(), buffer.size(), 0)) > 0;)
        received += static_cast<std::size_t>(n);
    });
    EXPECT_TRUE(answerWith(accepted, "200 OK", "text/plain", std::string(kLong, 'x')));
    ::shutdown(accepted, SHUT_RDWR);
  }
  EXPECT_GT(received, kLong);
}

TEST_F(UnixSocket, IsTakenFromAServerThatIsGone) {
  { const Socket gone(listenOn(path_)); }
  const Socket listening(listenOn(path_));
  EXPECT_GE(listening, 0);
  const Socket client(connected(path_));
}

TEST_F(UnixSocket, IsNotTakenFromAServerThatListens) {
  const Socket first(listenOn(path_));
  EXPECT_EQ(listenOn(path_), -1);
  EXPECT_EQ(errno, EADDRINUSE);
  const Socket client(connected(path_));
  EXPECT_GE(client, 0) << "the first one listens on";
}

TEST_F(UnixSocket, DoesNotReplaceAFile) {
  std::ofstream(path_) << "precious";
  EXPECT_EQ(listenOn(path_), -1);
  EXPECT_EQ(errno, EEXIST);
  EXPECT_EQ(local::system::readFile(path_), "precious");
}

TEST_F(UnixSocket, CanNotBeEverywhere) {
  EXPECT_EQ(listenOn((directory_ / std::string(120, 'x')).string()), -1);
  EXPECT_EQ(errno, ENAMETOOLONG);
  EXPECT_EQ(listenOn((directory_ / "none/a.sock").string()), -1);
  EXPECT_EQ(errno, ENOENT);
  EXPECT_EQ(listenOn(""), -1);
}

}  // namespace
}  // namespace slaq::serve
