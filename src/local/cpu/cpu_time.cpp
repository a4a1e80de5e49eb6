#include "local/cpu/cpu_time.h"

#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <sstream>
#include <string>
#include <utility>

#include "local/system/files.h"

namespace slaq::local::cpu {
namespace {

// Empty if there is no such process.
std::optional<Seconds> cpuTimeOf(pid_t process) {
  clockid_t clock{};
  timespec time{};
  if (::clock_getcpuclockid(process, &clock) != 0 || ::clock_gettime(clock, &time) != 0) return std::nullopt;
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

// The text of this file for each thread.
std::vector<std::string> ofThreads(pid_t process, const char* file) {
  std::error_code ignored;
  std::vector<std::string> texts;
  const auto tasks = "/proc/" + std::to_string(process) + "/task";
  for (const auto& task : std::filesystem::directory_iterator(tasks, ignored))
    texts.push_back(system::readFile(task.path() / file));
  return texts;
}

void addChildren(pid_t process, std::vector<pid_t>& out) {
  for (const auto& children : ofThreads(process, "children")) {
    std::istringstream in(children);
    for (pid_t child = 0; in >> child;) out.push_back(child);
  }
}

Seconds waitedTimeOf(pid_t process) {
  Seconds sum{0};
  for (const auto& schedstat : ofThreads(process, "schedstat")) {
    std::int64_t used = 0, waited = 0;
    std::istringstream(schedstat) >> used >> waited;
    sum += std::chrono::nanoseconds(waited);
  }
  return sum;
}

}  // namespace

std::vector<pid_t> familyOf(pid_t process) {
  std::vector<pid_t> family = {process};
  for (std::size_t i = 0; i < family.size(); ++i) addChildren(family[i], family);
  return family;
}

std::set<pid_t> groupsOf(const std::vector<pid_t>& family) {
  std::set<pid_t> groups;
  for (const pid_t each : family) {
    const pid_t group = ::getpgid(each);
    if (group > 0 && group != ::getpgrp()) groups.insert(group);
  }
  return groups;
}

void signalGroups(pid_t leader, const std::set<pid_t>& groups, int signal) {
  if (signal != SIGCONT) ::kill(-leader, signal);
  for (const pid_t each : groups) {
    if (each != leader) ::kill(-each, signal);
  }
  if (signal == SIGCONT) ::kill(-leader, signal);
}

void signalFamily(pid_t leader, int signal) { signalGroups(leader, groupsOf(familyOf(leader)), signal); }

bool hasChild(pid_t process) {
  std::error_code ignored;
  const bool areListed = std::filesystem::exists("/proc/thread-self/children", ignored);
  return !areListed || familyOf(process).size() > 1;
}

void CpuTime::add(const std::vector<pid_t>& processes) {
  for (const pid_t process : processes) seen_.try_emplace(process);
}

Seconds CpuTime::now() {
  for (auto each = seen_.begin(); each != seen_.end();) {
    const auto now = cpuTimeOf(each->first);
    if (now && *now > each->second.used) used_ += *now - std::exchange(each->second.used, *now);
    each = now ? std::next(each) : seen_.erase(each);  // its number may be another process' one day
  }
  return used_;
}

Seconds CpuTime::waited() {
  for (auto& [process, seen] : seen_) {
    const Seconds now = waitedTimeOf(process);
    // A sum over threads falls where a thread has ended.
    waited_ += std::max(now - std::exchange(seen.waited, now), Seconds(0));
  }
  return waited_;
}

}  // namespace slaq::local::cpu
