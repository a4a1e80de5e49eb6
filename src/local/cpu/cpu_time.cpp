#include "local/cpu/cpu_time.h"

#include <time.h>

#include <chrono>
#include <filesystem>
#include <sstream>
#include <string>

#include "local/system/files.h"

namespace slaq::local::cpu {
namespace {

Seconds cpuTimeOf(pid_t process) {
  clockid_t clock{};
  timespec time{};
  if (::clock_getcpuclockid(process, &clock) != 0 || ::clock_gettime(clock, &time) != 0) return Seconds(0);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

void addChildren(pid_t process, std::vector<pid_t>& out) {
  std::error_code ignored;
  const auto tasks = "/proc/" + std::to_string(process) + "/task";
  for (const auto& task : std::filesystem::directory_iterator(tasks, ignored)) {
    std::istringstream in(system::readFile(task.path() / "children"));
    for (pid_t child = 0; in >> child;) out.push_back(child);
  }
}

}  // namespace

std::vector<pid_t> familyOf(pid_t process) {
  std::vector<pid_t> family = {process};
  for (std::size_t i = 0; i < family.size(); ++i) addChildren(family[i], family);
  return family;
}

void CpuTime::add(const std::vector<pid_t>& processes) {
  for (const pid_t process : processes) used_.try_emplace(process, Seconds(0));
}

Seconds CpuTime::now() {
  for (auto& [process, before] : used_) {
    const Seconds now = cpuTimeOf(process);
    if (now <= before) continue;  // it ended, or did nothing
    sum_ += now - before;
    before = now;
  }
  return sum_;
}

}  // namespace slaq::local::cpu
