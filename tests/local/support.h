// Waiting for conditions, looking at processes, and jobs made of shell scripts.
#pragma once

#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <thread>

#include "base/clock.h"
#include "job/job.h"
#include "local/system/files.h"

namespace slaq::local {

inline const JobKey kJob{"default", "a"};

// Waits until it holds; false if it still doesn't after a time that only a broken program needs.
inline bool eventually(const std::function<bool()>& holds) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (!holds()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

struct ProcessStat {
  char state = 0;
  pid_t group = 0;
  Seconds cpu{0};
};

inline ProcessStat statOf(const std::string& process) {
  ProcessStat stat;
  const std::string text = system::readFile("/proc/" + process + "/stat");
  const auto name = text.rfind(')');
  if (name == std::string::npos) return stat;
  std::istringstream in(text.substr(name + 1));
  std::string skipped;
  in >> stat.state >> skipped >> stat.group;
  for (int i = 0; i < 8; ++i) in >> skipped;
  double user = 0, system = 0;
  in >> user >> system;
  stat.cpu = Seconds((user + system) / static_cast<double>(::sysconf(_SC_CLK_TCK)));
  return stat;
}

inline bool alive(pid_t process) {
  const char state = statOf(std::to_string(process)).state;
  return state != 0 && state != 'Z' && state != 'X';
}

// The CPU time that the processes of a group have used so far.
inline Seconds cpuTimeOfGroup(pid_t group) {
  Seconds sum{0};
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const auto name = entry.path().filename().string();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    const auto stat = statOf(name);
    if (stat.group == group) sum += stat.cpu;
  }
  return sum;
}

// The process whose id a script wrote into a file; 0 while it hasn't.
inline pid_t processIn(const std::filesystem::path& file) {
  pid_t process = 0;
  std::istringstream(system::readFile(file)) >> process;
  return process;
}

class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    std::string name = (std::filesystem::temp_directory_path() / "slaq-test-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) std::abort();
    path_ = name;
  }
  ~TemporaryDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

inline PodTemplate shell(const std::string& script, Cores limit = Cores(500)) {
  Container container;
  container.name = "main";
  container.command = {"/bin/sh", "-c", script};
  container.request = limit;
  container.limit = limit;
  return {{container}, "{}"};
}

inline TrainingJob jobOf(const std::string& name, PodTemplate worker,
                         std::optional<PodTemplate> driver = {}) {
  TrainingJob job;
  job.key = {"default", name};
  job.spec.workers.max = Workers(8);
  job.spec.workers.pod = std::move(worker);
  job.spec.driver = std::move(driver);
  return job;
}

}  // namespace slaq::local
