#include "cli/logs/kept_logs.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <ctime>
#include <string>

namespace slaq::cli::logs {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostRuns = 32;

std::optional<fs::path> variable(const char* name) {
  const char* text = std::getenv(name);
  return text == nullptr || *text == 0 ? std::nullopt : std::optional<fs::path>(text);
}

// The name ends with the number of the run's process.
bool goesOn(const fs::path& run) {
  const std::string name = run.filename().string();
  const int process = std::atoi(name.substr(name.rfind('-') + 1).c_str());
  return process > 0 && (::kill(process, 0) == 0 || errno == EPERM);
}

}  // namespace

std::optional<fs::path> runsDirectory() {
  if (const auto state = variable("XDG_STATE_HOME")) return *state / "slaq/runs";
  if (const auto home = variable("HOME")) return *home / ".local/state/slaq/runs";
  return std::nullopt;
}

std::vector<fs::path> keptRuns(const fs::path& runs) {
  std::vector<fs::path> kept;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(runs, error)) {
    if (entry.is_directory(error)) kept.push_back(entry.path());
  }
  std::ranges::sort(kept);  // their names begin with the time
  return kept;
}

fs::path newRun(const fs::path& runs) {
  const auto kept = keptRuns(runs);
  std::error_code ignored;
  for (std::size_t i = 0; i + kMostRuns <= kept.size(); ++i) {
    if (!goesOn(kept[i])) fs::remove_all(kept[i], ignored);
  }
  const std::time_t now = std::time(nullptr);
  std::tm utc{};  // of local time there may be an hour twice
  ::gmtime_r(&now, &utc);
  char time[32];
  std::strftime(time, sizeof time, "%Y%m%d-%H%M%SZ", &utc);
  return runs / (std::string(time) + "-" + std::to_string(::getpid()));
}

}  // namespace slaq::cli::logs
