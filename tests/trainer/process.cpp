#include "trainer/process.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>
#include <utility>

namespace slaq::trainer {
namespace {

constexpr std::chrono::seconds kGenerous{300};

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> all;
  for (std::string& text : texts) all.push_back(text.data());
  all.push_back(nullptr);
  return all;
}

}  // namespace

bool eventually(const std::function<bool()>& condition) {
  const auto end = std::chrono::steady_clock::now() + kGenerous;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return true;
}

TemporaryFolder::TemporaryFolder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "slaq-trainer-XXXXXX").string();
  if (!mkdtemp(pattern.data())) throw std::runtime_error("cannot make a temporary folder");
  path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string readFile(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

Process::Process(const std::vector<std::string>& arguments, const Environment& environment,
                 std::string errorFile)
    : errorFile_(std::move(errorFile)) {
  std::vector<std::string> words{SLAQ_TRAINER_PROGRAM};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<std::string> variables;
  for (const auto& [name, value] : environment) variables.push_back(name + "=" + value);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDERR_FILENO, errorFile_.c_str(), O_WRONLY | O_CREAT | O_TRUNC,
                                   0600);
  const int error = posix_spawn(&id_, words[0].c_str(), &files, nullptr, pointers(words).data(),
                                pointers(variables).data());
  posix_spawn_file_actions_destroy(&files);
  if (error != 0) throw std::runtime_error("cannot start " + words[0]);
}

Process::Process(Process&& other) noexcept
    : id_(std::exchange(other.id_, -1)), status_(other.status_), errorFile_(std::move(other.errorFile_)) {}

Process::~Process() {
  if (id_ < 0 || status_) return;
  kill(id_, SIGKILL);
  waitpid(id_, nullptr, 0);
}

void Process::signal(int number) const { kill(id_, number); }

std::optional<int> Process::wait() {
  const bool ended = status_ || eventually([this] {
                       int status = 0;
                       if (waitpid(id_, &status, WNOHANG) != id_) return false;
                       status_ = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
                       return true;
                     });
  return ended ? status_ : std::nullopt;
}

}  // namespace slaq::trainer
