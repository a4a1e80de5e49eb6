#include "kube/auth/exec_credential.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <string_view>
#include <utility>

#include "kube/json/json_fields.h"

namespace slaq::kube::auth {
namespace {

using json::parseJson;
using json::stringAt;

constexpr std::size_t kMostOutput = 1u << 20;

// The two ends of a pipe, which the destructor closes.
class Pipe {
 public:
  Pipe() { open_ = ::pipe2(ends_.data(), O_CLOEXEC) == 0; }
  ~Pipe() {
    closeEnd(0);
    closeEnd(1);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  bool open() const { return open_; }
  int end(int which) const { return ends_[which]; }
  void closeEnd(int which) {
    if (open_ && ends_[which] >= 0) ::close(std::exchange(ends_[which], -1));
  }

 private:
  std::array<int, 2> ends_{-1, -1};
  bool open_ = false;
};

std::vector<std::string> environmentFor(const ExecPlugin& plugin) {
  std::vector<std::string> all;
  for (char** each = environ; *each != nullptr; ++each) {
    if (!std::string_view(*each).starts_with("KUBERNETES_EXEC_INFO=")) all.emplace_back(*each);
  }
  for (const auto& variable : plugin.environment) {
    std::string begin = variable.first;
    begin += '=';
    std::erase_if(all, [&](const std::string& each) { return each.starts_with(begin); });
    all.push_back(begin.append(variable.second));
  }
  const std::string cluster = plugin.cluster.empty() ? "" : R"(,"cluster":)" + plugin.cluster;
  all.push_back(R"(KUBERNETES_EXEC_INFO={"kind":"ExecCredential","apiVersion":")" + plugin.apiVersion +
                R"(","spec":{"interactive":false)" + cluster + "}}");
  return all;
}

std::vector<char*> pointersTo(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 1);
  for (auto& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

// Starts the program without input and with its output in the pipe. Returns 0 or an errno.
int start(const ExecPlugin& plugin, const Pipe& pipe, pid_t& id) {
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&files, pipe.end(1), STDOUT_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  auto arguments = plugin.command;
  auto environment = environmentFor(plugin);
  const int error = ::posix_spawnp(&id, plugin.command.front().c_str(), &files, &attributes,
                                   pointersTo(arguments).data(), pointersTo(environment).data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  return error;
}

std::string readAll(int file) {
  std::string text;
  std::array<char, 4096> bytes{};
  while (text.size() < kMostOutput) {
    const ssize_t count = ::read(file, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    text.append(bytes.data(), static_cast<std::size_t>(count));
  }
  return text;
}

int exitCodeOf(pid_t id) {
  int status = 0;
  while (::waitpid(id, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

Result<ExecCredential> readCredential(const std::string& output, const std::string& program) {
  const auto document = parseJson(output);
  ExecCredential out;
  if (!document.HasParseError()) {
    out.token = stringAt(document, {"status", "token"});
    out.clientCertificatePem = stringAt(document, {"status", "clientCertificateData"});
    out.clientKeyPem = stringAt(document, {"status", "clientKeyData"});
    const auto expires = parseRfc3339(stringAt(document, {"status", "expirationTimestamp"}));
    if (expires) out.expires = *expires;
  }
  if (out.token.empty() && (out.clientCertificatePem.empty() || out.clientKeyPem.empty())) {
    return failure(ErrorKind::Malformed,
                   "the program " + program + ", which the kubeconfig takes credentials from, gives none");
  }
  return out;
}

Result<ExecCredential> runPlugin(const ExecPlugin& plugin) {
  const std::string program = printable(plugin.command.front());
  Pipe pipe;
  pid_t id = 0;
  const int error = pipe.open() ? start(plugin, pipe, id) : errno;
  if (error != 0) {
    return failure(
        ErrorKind::NotFound,
        "the program " + program + ", which the kubeconfig takes credentials from, can't be run: " +
            std::strerror(error) + (plugin.installHint.empty() ? "" : "; " + printable(plugin.installHint)));
  }
  pipe.closeEnd(1);
  const std::string output = readAll(pipe.end(0));
  pipe.closeEnd(0);
  const int code = exitCodeOf(id);
  if (code != 0) {
    return failure(ErrorKind::Forbidden, "the program " + program +
                                             ", which the kubeconfig takes credentials from, ended with exit "
                                             "code " +
                                             std::to_string(code));
  }
  return readCredential(output, program);
}

struct ExecToken::State {
  const ExecPlugin plugin;
  const Clock& clock;
  std::mutex mutex;
  ExecCredential credential;
  bool refused = false;
};

ExecToken::ExecToken(ExecPlugin plugin, ExecCredential first, const Clock& clock)
    : state_(new State{std::move(plugin), clock, {}, std::move(first)}) {}

std::string ExecToken::text() {
  const std::lock_guard lock(state_->mutex);
  auto& credential = state_->credential;
  const bool expired = credential.expires && state_->clock.now() >= *credential.expires;
  if (std::exchange(state_->refused, false) || expired) {
    if (auto next = runPlugin(state_->plugin)) credential = std::move(*next);
  }
  return credential.token;
}

void ExecToken::refresh() {
  const std::lock_guard lock(state_->mutex);
  state_->refused = true;
}

}  // namespace slaq::kube::auth
