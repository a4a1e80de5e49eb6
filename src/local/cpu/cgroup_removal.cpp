#include "local/cpu/cgroup_removal.h"

#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <thread>

#include "local/system/files.h"

namespace slaq::local::cpu {
namespace {

namespace fs = std::filesystem;

constexpr int kMostRemovals = 100;

}  // namespace

pid_t ownerOf(const fs::path& directory) {
  const std::string name = directory.filename().string();
  return name.starts_with(kNameOfAll) ? std::atoi(name.c_str() + std::strlen(kNameOfAll)) : 0;
}

std::vector<pid_t> processesIn(const fs::path& group) {
  std::vector<pid_t> processes;
  std::istringstream in(system::readFile(group / "cgroup.procs"));
  for (pid_t process = 0; in >> process;) {
    if (process > 0) processes.push_back(process);
  }
  return processes;
}

void killAllIn(const fs::path& group) {
  for (const pid_t process : processesIn(group)) ::kill(process, SIGKILL);
}

void sweepCgroup(const fs::path& directory) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(directory, ignored)) {
    if (entry.is_directory(ignored)) ::rmdir(entry.path().c_str());
  }
  ::rmdir(directory.c_str());
}

void removeCgroup(const fs::path& directory) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(directory, ignored)) {
    if (entry.is_directory(ignored)) removeCgroup(entry.path());
  }
  for (int tries = 0; tries < kMostRemovals; ++tries) {
    killAllIn(directory);
    if (::rmdir(directory.c_str()) == 0 || errno != EBUSY) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

void sweepCgroups(const fs::path& parent) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(parent, ignored)) {
    const pid_t owner = ownerOf(entry.path());
    if (owner > 0 && ::kill(owner, 0) != 0 && errno == ESRCH) sweepCgroup(entry.path());
  }
}

}  // namespace slaq::local::cpu
