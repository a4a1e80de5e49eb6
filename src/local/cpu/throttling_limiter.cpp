#include "local/cpu/throttling_limiter.h"

#include <signal.h>
#include <time.h>

#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <sstream>
#include <thread>
#include <vector>

#include "local/cpu/cpu_credit.h"
#include "local/system/files.h"

namespace slaq::local::cpu {
namespace {

constexpr auto kTick = std::chrono::milliseconds(10);
constexpr int kTicksPerScan = 10;  // for new descendants

using SteadyClock = std::chrono::steady_clock;

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

// The process and all its descendants.
std::vector<pid_t> familyOf(pid_t process) {
  std::vector<pid_t> family = {process};
  for (std::size_t i = 0; i < family.size(); ++i) addChildren(family[i], family);
  return family;
}

// A limited process: the CPU time of it and its descendants, and whether it is stopped.
class Account {
 public:
  Account(pid_t leader, Cores limit, SteadyClock::time_point now)
      : leader_(leader), credit_(limit), last_(now) {}

  void limit(Cores limit) { credit_.limit(limit); }

  void look() {
    for (const auto process : familyOf(leader_)) used_.try_emplace(process, Seconds(0));
  }

  void settle(SteadyClock::time_point now) {
    const bool mayRun = credit_.settle(now - last_, useSinceLast());
    last_ = now;
    if (mayRun == !stopped_) return;
    stopped_ = !mayRun;
    ::kill(-leader_, stopped_ ? SIGSTOP : SIGCONT);
  }

  void resume() const {
    if (stopped_) ::kill(-leader_, SIGCONT);
  }

 private:
  Seconds useSinceLast() {
    Seconds sum{0};
    for (auto& [process, before] : used_) {
      const Seconds now = cpuTimeOf(process);
      if (now <= before) continue;  // it ended, or did nothing
      sum += now - before;
      before = now;
    }
    return sum;
  }

  pid_t leader_;
  CpuCredit credit_;
  SteadyClock::time_point last_;
  std::map<pid_t, Seconds> used_;
  bool stopped_ = false;
};

}  // namespace

// The accounts and the thread that updates them, which runs from the first process on.
class Throttle {
 public:
  void begin(pid_t process, Cores limit) {
    const std::lock_guard lock(mutex_);
    accounts_.try_emplace(process, process, limit, SteadyClock::now()).first->second.look();
    if (!thread_.joinable()) thread_ = std::jthread([this](std::stop_token stop) { run(stop); });
  }

  void limit(pid_t process, Cores limit) {
    const std::lock_guard lock(mutex_);
    const auto found = accounts_.find(process);
    if (found != accounts_.end()) found->second.limit(limit);
  }

  void end(pid_t process) {
    const std::lock_guard lock(mutex_);
    const auto found = accounts_.find(process);
    if (found == accounts_.end()) return;
    found->second.resume();
    accounts_.erase(found);
  }

 private:
  void run(std::stop_token stop) {
    std::unique_lock lock(mutex_);
    for (int tick = 0; !stop.stop_requested(); ++tick) {
      for (auto& [process, account] : accounts_) {
        if (tick % kTicksPerScan == 0) account.look();
        account.settle(SteadyClock::now());
      }
      wake_.wait_for(lock, stop, kTick, [] { return false; });
    }
  }

  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::map<pid_t, Account> accounts_;
  std::jthread thread_;  // the last member: it uses all the others
};

namespace {

class ThrottlingLimit final : public CpuLimit {
 public:
  ThrottlingLimit(std::shared_ptr<Throttle> throttle, Cores limit)
      : throttle_(std::move(throttle)), limit_(limit) {}
  ~ThrottlingLimit() override { release(); }

  void attach(pid_t process) override { throttle_->begin(process_ = process, limit_); }
  Result<void> change(Cores limit) override {
    limit_ = limit;
    if (process_ > 0) throttle_->limit(process_, limit);
    return {};
  }
  void release() override {
    if (process_ > 0) throttle_->end(std::exchange(process_, 0));
  }

 private:
  std::shared_ptr<Throttle> throttle_;
  Cores limit_;
  pid_t process_ = 0;
};

}  // namespace

ThrottlingLimiter::ThrottlingLimiter() : throttle_(std::make_shared<Throttle>()) {}
ThrottlingLimiter::~ThrottlingLimiter() = default;

Result<std::unique_ptr<CpuLimit>> ThrottlingLimiter::limit(const std::string&, Cores cores) {
  return std::unique_ptr<CpuLimit>(std::make_unique<ThrottlingLimit>(throttle_, cores));
}

std::string ThrottlingLimiter::means() const { return "stopping and continuing (no cgroup can be written)"; }

}  // namespace slaq::local::cpu
