#include "local/cpu/throttling_limiter.h"

#include <signal.h>
#include <time.h>

#include <chrono>
#include <cmath>
#include <condition_variable>
#include <map>
#include <mutex>
#include <sstream>
#include <thread>
#include <vector>

#include "local/cpu/cpu_credit.h"
#include "local/cpu/cpu_time.h"
#include "local/cpu/weighted_shares.h"
#include "local/system/files.h"

namespace slaq::local::cpu {
namespace {

constexpr auto kTick = std::chrono::milliseconds(10);
constexpr int kTicksPerScan = 10;  // a scan finds new descendants, and the CPU time of each process
// A process that needed nearly all of its cores is expected to use more, and any process a little more.
constexpr double kNearlyAll = 0.9;
constexpr double kMore = 1.25;
constexpr Cores kLittle{50};
// The part of all cores that is divided lies between kLeastAvailable and 1. From one scan to the next it is
// at least multiplied by kLeastAtOnce and at most by kMoreAvailable.
constexpr double kLeastAvailable = 0.05;
constexpr double kLeastAtOnce = 0.5;
constexpr double kMoreAvailable = 1.1;
constexpr double kNewest = 0.2;  // the weight of a scan in the mean over the last ones

using SteadyClock = std::chrono::steady_clock;

// Sums over the processes that need all of their cores.
struct Shortage {
  double given = 0;
  double used = 0;

  Shortage& operator+=(const Shortage& other) {
    given += other.given;
    used += other.used;
    return *this;
  }
};

// A process with its resources: the CPU time of it and its descendants, and whether it is stopped.
class Account {
 public:
  Account(pid_t leader, const CpuResources& resources, SteadyClock::time_point now)
      : leader_(leader), resources_(resources), given_(resources.limit), credit_(given_), last_(now) {}

  void change(const CpuResources& resources) { resources_ = resources; }
  void give(Cores cores) { credit_.limit(given_ = cores); }

  // Returns the wish for cores. It follows from the CPU time that the process used, and waited for while
  // others had the CPUs, since the last call, `passed` ago.
  CpuWish wish(Seconds passed) {
    const double used = (used_ - std::exchange(usedAtWish_, used_)) / passed;
    const double needed = used + (waited_ - std::exchange(waitedAtWish_, waited_)) / passed;
    const bool isShort = needed >= kNearlyAll * inCores(given_);
    shortage_ = isShort ? Shortage{inCores(given_), used} : Shortage{};
    return {resources_, isShort ? resources_.limit : Cores(std::lround(1000 * kMore * needed)) + kLittle};
  }
  // The given and the used cores in the time of the last wish; zero if the process did not need all that it
  // was given.
  Shortage shortage() const { return shortage_; }

  void look() {
    const auto family = familyOf(leader_);
    time_.add(family);
    if (!stopped_) groups_.clear();  // a group that was stopped has to be continued
    groups_.merge(groupsOf(family));
    waited_ = time_.waited();
  }
  Seconds used() const { return used_; }

  void settle(SteadyClock::time_point now) {
    const Seconds before = std::exchange(used_, time_.now());
    const bool mayRun = credit_.settle(now - last_, used_ - before);
    last_ = now;
    if (mayRun == !stopped_) return;
    stopped_ = !mayRun;
    signalGroups(leader_, groups_, stopped_ ? SIGSTOP : SIGCONT);
  }

  void resume() const {
    if (stopped_) signalGroups(leader_, groups_, SIGCONT);
  }

 private:
  pid_t leader_;
  std::set<pid_t> groups_;  // of its descendants, and maybe its own
  CpuResources resources_;
  Cores given_;
  CpuCredit credit_;
  SteadyClock::time_point last_;
  CpuTime time_;
  Seconds used_{0};
  Seconds usedAtWish_{0};
  Seconds waited_{0};
  Seconds waitedAtWish_{0};
  Shortage shortage_;
  bool stopped_ = false;
};

}  // namespace

// The accounts and the thread that updates them, which runs from the first process on.
class Throttle {
 public:
  explicit Throttle(Cores all) : all_(all) {}

  void begin(pid_t process, const CpuResources& resources) {
    const std::lock_guard lock(mutex_);
    accounts_.try_emplace(process, process, resources, SteadyClock::now()).first->second.look();
    if (!thread_.joinable()) thread_ = std::jthread([this](std::stop_token stop) { run(stop); });
  }

  void change(pid_t process, const CpuResources& resources) {
    const std::lock_guard lock(mutex_);
    const auto found = accounts_.find(process);
    if (found != accounts_.end()) found->second.change(resources);
  }

  Seconds used(pid_t process) {
    const std::lock_guard lock(mutex_);
    const auto found = accounts_.find(process);
    return found == accounts_.end() ? Seconds(0) : found->second.used();
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
      if (tick % kTicksPerScan == 0) divide(SteadyClock::now());
      wake_.wait_for(lock, stop, kTick, [] { return false; });
    }
  }

  // Divides the cores that the machine really gives. Where other programs keep one process from its share,
  // the shares of all processes shrink, so that they stay in proportion to the weights.
  void divide(SteadyClock::time_point now) {
    const Seconds passed = now - std::exchange(divided_, now);
    std::vector<CpuWish> wishes;
    Shortage together;
    for (auto& [process, account] : accounts_) {
      wishes.push_back(account.wish(passed));
      together += account.shortage();
    }
    mean_ = {(1 - kNewest) * mean_.given + kNewest * together.given,
             (1 - kNewest) * mean_.used + kNewest * together.used};
    const double had = mean_.given > 0 ? mean_.used / mean_.given : 1;
    available_ = std::clamp(available_ * std::max(had, kLeastAtOnce) * kMoreAvailable, kLeastAvailable, 1.0);
    const auto shares = weightedShares(wishes, Cores(std::lround(all_.value() * available_)));
    std::size_t place = 0;
    for (auto& [process, account] : accounts_) account.give(shares[place++]);
  }

  const Cores all_;
  double available_ = 1;  // a share of all_
  Shortage mean_;         // over the last second or so
  SteadyClock::time_point divided_ = SteadyClock::now();
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::map<pid_t, Account> accounts_;
  std::jthread thread_;  // the last member: it uses all the others
};

namespace {

class ThrottlingLimit final : public CpuLimit {
 public:
  ThrottlingLimit(std::shared_ptr<Throttle> throttle, const CpuResources& resources)
      : throttle_(std::move(throttle)), resources_(resources) {}
  ~ThrottlingLimit() override { release(); }

  void attach(pid_t process) override { throttle_->begin(process_ = process, resources_); }
  void adopt(pid_t process) override {
    signalFamily(process, SIGCONT);  // the one that stopped it may have ended meanwhile
    attach(process);
  }
  Result<void> change(const CpuResources& resources) override {
    resources_ = resources;
    if (process_ > 0) throttle_->change(process_, resources);
    return {};
  }
  Seconds used() override { return used_ = std::max(used_, throttle_->used(process_)); }
  void release() override {
    used();
    if (process_ > 0) throttle_->end(std::exchange(process_, 0));
  }

 private:
  std::shared_ptr<Throttle> throttle_;
  CpuResources resources_;
  Seconds used_{0};
  pid_t process_ = 0;
};

}  // namespace

ThrottlingLimiter::ThrottlingLimiter(Cores all) : throttle_(std::make_shared<Throttle>(all)) {}
ThrottlingLimiter::~ThrottlingLimiter() = default;

Result<std::unique_ptr<CpuLimit>> ThrottlingLimiter::limit(const std::string&,
                                                           const CpuResources& resources) {
  return std::unique_ptr<CpuLimit>(std::make_unique<ThrottlingLimit>(throttle_, resources));
}

std::string ThrottlingLimiter::means() const { return "stopping and continuing (no cgroup can be written)"; }

}  // namespace slaq::local::cpu
