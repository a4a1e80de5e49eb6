// Every means of holding processes that works on this machine, with processes that want all the CPU they can
// get.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "local/cpu/cgroup_limiter.h"
#include "local/cpu/choose_limiter.h"
#include "local/cpu/cpu_credit.h"
#include "local/cpu/starting_limiter.h"
#include "local/cpu/throttling_limiter.h"
#include "local/processes/child_process.h"
#include "local/support.h"

namespace slaq::local::cpu {
namespace {

using MakeHold = std::unique_ptr<CpuLimiter> (*)(Cores all);

std::unique_ptr<CpuLimiter> cgroupOf(CgroupVersion version, Cores all) {
  for (const auto& place :
       cgroupPlaces(system::readFile("/proc/self/mountinfo"), system::readFile("/proc/self/cgroup"))) {
    if (place.version != version) continue;
    if (auto limiter = CgroupLimiter::make(place, all)) return std::move(*limiter);
  }
  return nullptr;
}

constexpr Cores kPlenty{100'000};  // so that nothing but each limit binds

struct Means {
  const char* name;
  MakeHold make;
};

const Means kMeans[] = {
    {"CgroupV1", [](Cores all) { return cgroupOf(CgroupVersion::One, all); }},
    {"CgroupV2", [](Cores all) { return cgroupOf(CgroupVersion::Two, all); }},
    {"Throttle",
     [](Cores all) -> std::unique_ptr<CpuLimiter> { return std::make_unique<ThrottlingLimiter>(all); }},
};

class EveryLimiter : public testing::TestWithParam<Means> {
 protected:
  void SetUp() override {
    limiter_ = GetParam().make(kPlenty);
    if (!limiter_) GTEST_SKIP() << "this machine lets us make no such control group";
    watchdog_ = processes::Watchdog::start({}).value();
  }

  std::unique_ptr<processes::Process> start(const std::string& script, Cores limit) {
    return start(script, limit, limit);
  }
  std::unique_ptr<processes::Process> start(const std::string& script, Cores request, Cores limit) {
    return startBelow(*limiter_, script, {request, limit});
  }
  std::unique_ptr<processes::Process> startBelow(CpuLimiter& limiter, const std::string& script,
                                                 const CpuResources& resources) {
    processes::ProcessSpec spec{
        "/bin/sh", {"sh", "-c", script}, {"PATH=/usr/bin:/bin"}, "", directory_ / "log"};
    auto cpuLimit = limiter.limit("limited", resources);
    EXPECT_TRUE(cpuLimit);
    auto process = processes::ChildProcess::start(spec, std::move(*cpuLimit), *watchdog_);
    EXPECT_TRUE(process);
    return std::move(*process);
  }

  TemporaryDirectory directory_;
  std::unique_ptr<CpuLimiter> limiter_;
  std::unique_ptr<processes::Watchdog> watchdog_;
};

// The CPU time that a group uses in a second. It is measured for 2 s, and on a busy machine until the group
// has used 40 ms.
double rateOf(pid_t group) {
  const auto begin = std::chrono::steady_clock::now();
  const Seconds before = cpuTimeOfGroup(group);
  Seconds used{0};
  Seconds passed{0};
  while (passed < Seconds(2) || (used < Seconds(0.04) && passed < Seconds(300))) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    used = cpuTimeOfGroup(group) - before;
    passed = std::chrono::steady_clock::now() - begin;
  }
  EXPECT_GE(used, Seconds(0.04)) << "it stands still";
  return used / passed;
}

TEST_P(EveryLimiter, KeepsABusyLoopAtItsLimit) {
  const auto process = start("while :; do :; done", Cores(200));
  EXPECT_LT(rateOf(process->id()), 0.3);
}

TEST_P(EveryLimiter, CountsWhatAProcessStarts) {
  const auto process = start("for i in 1 2 3; do (while :; do :; done) & done; wait", Cores(200));
  EXPECT_LT(rateOf(process->id()), 0.3);
}

// Two processes of several loops side by side, so that what else the machine does slows both: whether `one`
// comes to have worked so many times as much as `other` that `isRight`, counted from now on. A busy machine
// lets either run free for a moment, which matters less and less.
bool comesToWork(const processes::Process& one, const processes::Process& other,
                 const std::function<bool(double)>& isRight) {
  const Seconds before[] = {cpuTimeOfGroup(one.id()), cpuTimeOfGroup(other.id())};
  return eventually([&] {
    const Seconds others = cpuTimeOfGroup(other.id()) - before[1];
    return others >= Seconds(0.06) && isRight((cpuTimeOfGroup(one.id()) - before[0]) / others);
  });
}

TEST_P(EveryLimiter, MovesTheLimitOfARunningProcess) {
  const char* loops = "for i in 1 2; do (while :; do :; done) & done; wait";
  const auto one = start(loops, Cores(30));
  const auto other = start(loops, Cores(30));
  // 20 times as much where the machine has nothing else to do.
  ASSERT_TRUE(one->change({Cores(600), Cores(600)}));
  EXPECT_TRUE(comesToWork(*one, *other, [](double times) { return times > 4; }));
  ASSERT_TRUE(one->change({Cores(30), Cores(30)}));
  EXPECT_TRUE(comesToWork(*one, *other, [](double times) { return times < 2; }));
  EXPECT_FALSE(one->poll()) << "the same process all the time";
}

// Twice the weight is twice the work, and what one leaves the other has. Two processes share what all may
// have.
TEST_P(EveryLimiter, DividesByWeightWhatAllMayHave) {
  limiter_.reset();  // its group has the same name
  limiter_ = GetParam().make(Cores(1000));
  const char* loop = "while :; do :; done";
  const auto one = start(loop, Cores(400), Cores(1000));
  const auto other = start(loop, Cores(100), Cores(1000));
  EXPECT_TRUE(comesToWork(*one, *other, [](double times) { return times > 2.5 && times < 6; }));
  ASSERT_TRUE(one->change({Cores(100), Cores(1000)}));
  EXPECT_TRUE(comesToWork(*one, *other, [](double times) { return times > 0.6 && times < 1.6; }));
}

// Other programs that leave the processes less than they may have take no more from the one that is given
// more.
TEST_P(EveryLimiter, KeepsToTheWeightsWhereOtherProgramsTakeTheMachine) {
  limiter_.reset();  // its group has the same name
  limiter_ = GetParam().make(Cores(1000));
  ThrottlingLimiter noLimit(kPlenty);
  const auto others =
      startBelow(noLimit, "for i in $(seq $((3 * $(nproc)))); do (while :; do :; done) & done; wait",
                 {kPlenty, kPlenty});
  const char* loop = "while :; do :; done";
  const auto one = start(loop, Cores(400), Cores(1000));
  const auto other = start(loop, Cores(100), Cores(1000));
  EXPECT_TRUE(comesToWork(*one, *other, [](double times) { return times > 2.5 && times < 6; }));
}

// Processes that wait for each other use all that there is, however many they are. They are compared with two
// others that run before them, since the machine may have other work.
TEST_P(EveryLimiter, WastesNothingOnManyProcesses) {
  const auto rateOfLoops = [this](int count) {
    limiter_.reset();
    limiter_ = GetParam().make(Cores(2000));
    std::vector<std::unique_ptr<processes::Process>> loops;
    for (int i = 0; i < count; ++i)
      loops.push_back(start("while :; do :; done", Cores(2000 / count), Cores(1000)));
    std::this_thread::sleep_for(std::chrono::seconds(1));
    const auto used = [&] {
      Seconds sum{0};
      for (const auto& each : loops) sum += cpuTimeOfGroup(each->id());
      return sum;
    };
    const Seconds before = used();
    std::this_thread::sleep_for(std::chrono::seconds(2));
    return (used() - before).count() / 2;
  };
  EXPECT_TRUE(eventually([&] { return rateOfLoops(8) > 0.75 * rateOfLoops(2); }));
}

TEST_P(EveryLimiter, LetsALimitedProcessHearSignalsAndEnd) {
  const auto process = start("trap 'exit 7' TERM; echo ready; while :; do :; done", Cores(100));
  ASSERT_TRUE(eventually([&] { return system::readFile(directory_ / "log") == "ready\n"; }));
  process->terminate();
  ASSERT_TRUE(eventually([&] { return process->poll().has_value(); }));
  EXPECT_EQ(process->poll(), (processes::Exit{7, 0}));
}

TEST_P(EveryLimiter, LeavesNothingBehind) {
  const auto directories = limiter_->directories();
  auto process = start("while :; do :; done", Cores(200));
  const pid_t id = process->id();
  process.reset();
  EXPECT_FALSE(alive(id));
  limiter_.reset();
  for (const auto& each : directories) EXPECT_FALSE(std::filesystem::exists(each)) << each;
}

TEST_P(EveryLimiter, EndsADaemonThatLeftItsGroupIfItIsAControlGroup) {
  if (limiter_->directories().empty()) GTEST_SKIP() << "only a control group knows its daemons";
  auto process = start("setsid sleep 1000 & echo $!; wait", Cores(200));
  ASSERT_TRUE(eventually([&] { return alive(processIn(directory_ / "log")); }));
  const pid_t daemon = processIn(directory_ / "log");
  ASSERT_TRUE(eventually([&] { return statOf(std::to_string(daemon)).group != process->id(); }));
  process.reset();
  EXPECT_TRUE(eventually([&] { return !alive(daemon); }));
}

// The CPUs that a thread may run on.
int cpusOf(pid_t thread) {
  cpu_set_t cpus;
  return ::sched_getaffinity(thread, sizeof cpus, &cpus) == 0 ? CPU_COUNT(&cpus) : -1;
}

TEST_P(EveryLimiter, LetsAStartBeElsewhereAndCountsAllThatItUsed) {
  limiter_.reset();
  StartingLimiter both(GetParam().make(kPlenty), GetParam().make(Cores(200)));
  const auto process = startBelow(both, "(while :; do :; done) & echo $!; wait",
                                  {.request = kPlenty, .limit = kPlenty, .isStarting = true});
  ASSERT_TRUE(eventually([&] { return process->cpuUsed() > Seconds(0.3); }));
  const pid_t child = processIn(directory_ / "log");
  ASSERT_GT(child, 0);
  const Seconds before = process->cpuUsed();
  ASSERT_TRUE(process->change({Cores(200), Cores(200)}));
  const Seconds then = process->cpuUsed();
  EXPECT_GE(then, before);
  EXPECT_LE(then, cpuTimeOfGroup(process->id()) + Seconds(0.05)) << "nothing counts twice";
  if (!both.directories().empty()) {
    EXPECT_EQ(cpusOf(child), 1) << "the first of the shared cores";
  }
  ASSERT_TRUE(eventually([&] { return process->cpuUsed() > before + Seconds(0.3); }));
  EXPECT_LT(rateOf(process->id()), 0.3) << "it is held to its part";
  process->kill();
  ASSERT_TRUE(eventually([&] { return process->poll().has_value(); }));
  EXPECT_GT(process->cpuUsed(), before);
  EXPECT_TRUE(eventually([&] { return !alive(child); }));
}

INSTANTIATE_TEST_SUITE_P(Means, EveryLimiter, testing::ValuesIn(kMeans),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(ChooseCpuHold, AlwaysFindsAMeansAndSaysWhich) {
  const auto limiter = chooseCpuLimiter(kPlenty);
  ASSERT_NE(limiter, nullptr);
  EXPECT_FALSE(limiter->means().empty());
}

// The arithmetic of the throttle: a process that runs whenever it may.
TEST(CpuCredit, HoldsTheMeanAtTheLimitHoweverTimeIsCut) {
  for (const int millis : {10, 50, 200, 700, 1000}) {
    CpuCredit credit{Cores(millis)};
    std::mt19937 random(static_cast<unsigned>(millis));
    std::uniform_real_distribution<double> cut(0.002, 0.03);
    Seconds passed{0}, used{0};
    bool running = true;
    while (passed < Seconds(100)) {
      const Seconds tick(cut(random));
      passed += tick;
      if (running) used += tick;
      running = credit.settle(tick, running ? tick : Seconds(0));
    }
    EXPECT_NEAR(used / passed, millis / 1000.0, 0.01) << millis;
  }
}

TEST(CpuCredit, EarnsAtTheRateOfItsNewLimit) {
  CpuCredit credit{Cores(100)};
  EXPECT_FALSE(credit.settle(Seconds(1), Seconds(1)));
  credit.limit(Cores(1000));
  EXPECT_FALSE(credit.settle(Seconds(0.9), Seconds(0))) << "what was overdrawn stays so";
  EXPECT_TRUE(credit.settle(Seconds(0.2), Seconds(0)));
}

TEST(CpuCredit, LetsNobodySaveUp) {
  CpuCredit credit{Cores(500)};
  EXPECT_TRUE(credit.settle(Seconds(1000), Seconds(0)));
  EXPECT_FALSE(credit.settle(Seconds(0), Seconds(0.05)));
}

}  // namespace
}  // namespace slaq::local::cpu
