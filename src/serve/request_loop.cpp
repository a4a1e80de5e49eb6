#include "serve/request_loop.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <utility>

namespace slaq::serve {
namespace {

constexpr int kLookMillis = 100;                // how often the thread checks whether it is to stop
constexpr std::chrono::seconds kTimeToAsk{2};   // for each part of a request
constexpr std::size_t kMostAtOnce = 16u << 10;  // bytes of a client, besides the body
constexpr std::size_t kMostClients = 64;        // beyond these the oldest is given up

}  // namespace

RequestLoop::RequestLoop(int listening, std::size_t mostOfBody, Answer answer)
    : listening_(listening),
      mostOfBody_(mostOfBody),
      answer_(std::move(answer)),
      thread_([this](const std::stop_token& stop) { run(stop); }) {
  ::fcntl(listening_, F_SETFL, O_NONBLOCK);  // a client may be gone before it is accepted
}

RequestLoop::~RequestLoop() {
  stop();
  for (const auto& each : clients_) ::close(each.socket);
  ::close(listening_);
}

void RequestLoop::stop() {
  thread_.request_stop();
  if (thread_.joinable()) thread_.join();
}

void RequestLoop::run(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    std::vector<pollfd> ready = {{listening_, POLLIN, 0}};
    for (const auto& each : clients_) ready.push_back({each.socket, POLLIN, 0});
    if (::poll(ready.data(), ready.size(), kLookMillis) < 0) continue;
    const auto now = Clock::now();
    for (std::size_t i = clients_.size(); i-- > 0;) {
      Client& client = clients_[i];
      const bool isDone = ready[i + 1].revents != 0 && advance(client);
      if (!isDone && now < client.until) continue;
      ::close(client.socket);
      clients_.erase(clients_.begin() + static_cast<std::ptrdiff_t>(i));
    }
    if (ready[0].revents != 0) accept();
  }
}

void RequestLoop::accept() {
  const int client = ::accept4(listening_, nullptr, nullptr, SOCK_CLOEXEC);
  // Without free files, the client would be waiting again at once.
  if (client < 0 && (errno == EMFILE || errno == ENFILE)) ::poll(nullptr, 0, kLookMillis);
  if (client < 0) return;
  if (clients_.size() == kMostClients) {
    ::close(clients_.front().socket);
    clients_.erase(clients_.begin());
  }
  clients_.push_back({client, "", Clock::now() + kTimeToAsk});
}

bool RequestLoop::advance(Client& client) {
  std::array<char, 4096> buffer;
  ssize_t count = 0;
  while (client.bytes.size() <= kMostAtOnce + mostOfBody_ &&
         (count = ::recv(client.socket, buffer.data(), buffer.size(), MSG_DONTWAIT)) > 0) {
    client.bytes.append(buffer.data(), static_cast<std::size_t>(count));
  }
  const bool isGone = count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR);
  auto [request, isMalformed, hasHead] = readRequest(client.bytes, mostOfBody_);
  if (request) answer_(client.socket, *request);
  if (!std::exchange(client.hasHead, hasHead) && hasHead) client.until = Clock::now() + kTimeToAsk;
  return request || isMalformed || isGone;
}

}  // namespace slaq::serve
