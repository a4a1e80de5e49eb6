#include "report/kubeflow/status_server.h"

#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "serve/connections.h"

namespace slaq::report {
namespace {

constexpr std::size_t kMostOfStatus = 256u << 10;
constexpr std::size_t kMostWaiting = 1024;  // statuses that were not taken yet; further ones are dropped

// Other users of this machine can reach the port, but must not be able to post false losses.
std::string newToken() {
  std::array<unsigned char, 16> bytes{};
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) return "";
  std::string token;
  for (const unsigned char byte : bytes) {
    token += "0123456789abcdef"[byte / 16];
    token += "0123456789abcdef"[byte % 16];
  }
  return token;
}

// A file in memory, since the container may have no writable place. -1 if it can't be made.
int fileWith(const std::string& text) {
  const int file = ::memfd_create("slaq-report-token", MFD_CLOEXEC);
  if (file < 0 || ::write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size())) return file;
  ::close(file);
  return -1;
}

}  // namespace

Result<std::unique_ptr<StatusServer>> StatusServer::start() {
  std::string token = newToken();
  const int file = token.empty() ? -1 : fileWith(token);
  const int socket = file < 0 ? -1 : serve::listenOnLoopback();
  if (socket >= 0) return std::unique_ptr<StatusServer>(new StatusServer(socket, file, std::move(token)));
  const std::string reason = std::strerror(errno);
  if (file >= 0) ::close(file);
  return failure(ErrorKind::Transient, "no port of this machine can be listened on: " + reason);
}

StatusServer::StatusServer(int socket, int file, std::string token)
    : file_(file),
      token_(std::move(token)),
      loop_(socket, kMostOfStatus,
            [this](int client, const serve::Request& request) { answer(client, request); }) {}

StatusServer::~StatusServer() {
  loop_.stop();
  ::close(file_);
}

std::string StatusServer::url() const { return "http://" + serve::addressOf(loop_.socket()) + "/status"; }

std::string StatusServer::tokenFile() const {
  return "/proc/" + std::to_string(::getpid()) + "/fd/" + std::to_string(file_);
}

std::vector<metrics::TrainerStatus> StatusServer::take() {
  const std::lock_guard lock(mutex_);
  return std::exchange(posted_, {});
}

void StatusServer::answer(int client, const serve::Request& request) {
  const auto say = [&](std::string_view status) { serve::answerWith(client, status, "text/plain", ""); };
  if (!request.head.starts_with("POST ") || request.isTooLong) return say("400 Bad Request");
  if (serve::headerOf(request, "authorization") != "Bearer " + token_) return say("401 Unauthorized");
  auto status = trainerStatusFrom(request.body);
  if (!status) return say("400 Bad Request");
  {
    const std::lock_guard lock(mutex_);
    if (posted_.size() < kMostWaiting) posted_.push_back(std::move(*status));
  }
  say("200 OK");
}

}  // namespace slaq::report
