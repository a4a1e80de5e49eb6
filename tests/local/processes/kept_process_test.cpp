// Programs go on when the program that started them has ended. The next one finds them, running or ended.
#include "local/processes/kept_process.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include "local/cpu/choose_limiter.h"
#include "local/cpu/throttling_limiter.h"
#include "local/support.h"

namespace slaq::local::processes {
namespace {

constexpr uid_t kNobody = 65534;

class KeptProcesses : public testing::Test {
 protected:
  ProcessSpec shell(const std::string& script) {
    return {"/bin/sh", {"sh", "-c", script}, {"PATH=/usr/bin:/bin"}, directory_.path(), directory_ / "log"};
  }
  std::unique_ptr<cpu::CpuLimit> limit() { return limiter_->limit("p", {Cores(1000), Cores(1000)}).value(); }
  Result<std::unique_ptr<Process>> start(const ProcessSpec& spec) {
    return KeptProcess::start(spec, limit(), record_, *watchdog_);
  }
  std::unique_ptr<Process> adopt() { return KeptProcess::adopt(record_, limit(), *watchdog_); }
  // Starts the script by a program that is killed then.
  void startAndDie(const std::string& script) {
    const pid_t starter = ::fork();
    if (starter == 0) {
      const auto limiter = cpu::chooseCpuLimiter(Cores(2000));
      auto cpuLimit = limiter->limit("p", {Cores(1000), Cores(1000)}).value();
      const auto process = KeptProcess::start(shell(script), std::move(cpuLimit), record_, *watchdog_);
      ::kill(::getpid(), process ? SIGKILL : SIGTERM);
    }
    int status = 0;
    ::waitpid(starter, &status, 0);
    ASSERT_EQ(WTERMSIG(status), SIGKILL);
  }
  Exit exitOf(Process& process) {
    EXPECT_TRUE(eventually([&] { return process.poll().has_value(); }));
    return process.poll().value_or(Exit{-1, -1});
  }
  std::string log() const { return system::readFile(directory_ / "log"); }

  TemporaryDirectory directory_;
  std::filesystem::path record_ = directory_ / "p.process";
  std::unique_ptr<cpu::CpuLimiter> limiter_ = cpu::chooseCpuLimiter(Cores(2000));
  std::unique_ptr<Watchdog> watchdog_ = Watchdog::start({}, SIGCONT).value();
};

TEST_F(KeptProcesses, TellHowTheyEnded) {
  const std::pair<const char*, Exit> cases[] = {
      {"exit 0", {0, 0}}, {"exit 3", {3, 0}}, {"kill -KILL $$", {0, SIGKILL}}};
  for (const auto& [script, exit] : cases) EXPECT_EQ(exitOf(**start(shell(script))), exit) << script;
}

TEST_F(KeptProcesses, SayWhyTheyCantStart) {
  auto spec = shell("");
  spec.program = "/nowhere/sh";
  const auto process = start(spec);
  ASSERT_FALSE(process);
  EXPECT_EQ(process.error().kind, ErrorKind::Invalid);
  EXPECT_EQ(process.error().message, "can't execute /nowhere/sh: No such file or directory");
  EXPECT_EQ(adopt(), nullptr);
}

TEST_F(KeptProcesses, OutliveWhatStartedThem) {
  startAndDie("while [ ! -e go ]; do sleep 0.01; done; exit 7");
  const auto process = adopt();
  ASSERT_NE(process, nullptr);
  EXPECT_EQ(process->poll(), std::nullopt);
  EXPECT_TRUE(alive(process->id()));
  std::ofstream(directory_ / "go") << "go";
  EXPECT_EQ(exitOf(*process), (Exit{7, 0}));
}

TEST_F(KeptProcesses, TellWhatHappenedWhileNobodyLooked) {
  startAndDie("trap 'echo ended' EXIT; exit 5");
  ASSERT_TRUE(eventually([&] { return log() == "ended\n"; }));
  const auto process = adopt();
  EXPECT_EQ(exitOf(*process), (Exit{5, 0}));
  EXPECT_EQ(adopt()->poll(), (Exit{5, 0}));
}

TEST_F(KeptProcesses, AreEndedByWhoAdoptsThem) {
  startAndDie("trap 'echo term; exit 143' TERM; echo ready; sleep 600 & while :; do sleep 0.01; done");
  ASSERT_TRUE(eventually([&] { return log() == "ready\n"; }));
  const auto process = adopt();
  process->terminate();
  EXPECT_EQ(exitOf(*process), (Exit{143, 0}));
  EXPECT_EQ(log(), "ready\nterm\n");
  EXPECT_TRUE(eventually([&] { return cpuTimeOfGroup(process->id()) == Seconds(0); }));
}

TEST_F(KeptProcesses, EndWithTheirKeeper) {
  const auto process = start(shell("exec sleep 600"));
  ASSERT_TRUE(process);
  std::istringstream stat(system::readFile("/proc/" + std::to_string((*process)->id()) + "/stat"));
  std::string skipped;
  pid_t keeper = 0;
  stat >> skipped >> skipped >> skipped >> keeper;
  ASSERT_GT(keeper, 1);
  ::kill(keeper, SIGKILL);
  EXPECT_EQ(exitOf(**process), (Exit{0, SIGKILL}));
  EXPECT_TRUE(eventually([&] { return !alive((*process)->id()); }));
}

// Also what they have started.
TEST_F(KeptProcesses, LeaveNothingBehindWithoutTheirKeeper) {
  limiter_ =
      std::make_unique<cpu::ThrottlingLimiter>(Cores(2000));  // a control group would tell what they started
  const auto process = start(shell("sleep 600 & echo $!; exec sleep 600"));
  ASSERT_TRUE(process);
  ASSERT_TRUE(eventually([&] { return !log().empty(); }));
  const pid_t started = std::stoi(log());
  std::istringstream stat(system::readFile("/proc/" + std::to_string((*process)->id()) + "/stat"));
  std::string skipped;
  pid_t keeper = 0;
  stat >> skipped >> skipped >> skipped >> keeper;
  ::kill(keeper, SIGKILL);
  EXPECT_EQ(exitOf(**process), (Exit{0, SIGKILL}));
  EXPECT_TRUE(eventually([&] { return !alive(started); }));
}

TEST_F(KeptProcesses, GetNoFileOfWhoStartsThem) {
  const int secret = ::open("/etc/hostname", O_RDONLY);  // without O_CLOEXEC
  const auto process = start(shell("ls /proc/self/fd"));
  ASSERT_TRUE(process);
  exitOf(**process);
  EXPECT_EQ(log(), "0\n1\n2\n3\n");  // the last is the directory that ls reads
  ::close(secret);
}

// Which a limiter may have stopped at that moment.
TEST_F(KeptProcesses, GoOnWhenWhatStartedThemEnds) {
  const pid_t starter = ::fork();
  if (starter == 0) {
    const auto watchdog = Watchdog::start({}, SIGCONT).value();
    cpu::ThrottlingLimiter limiter(Cores(2000));
    const auto process =
        KeptProcess::start(shell("while :; do echo x >> ticks; sleep 0.01; done"),
                           limiter.limit("p", {Cores(1000), Cores(1000)}).value(), record_, *watchdog);
    ::kill(-(*process)->id(), SIGSTOP);
    ::kill(::getpid(), SIGKILL);
  }
  int status = 0;
  ::waitpid(starter, &status, 0);
  const auto before = system::readFile(directory_ / "ticks").size();
  EXPECT_TRUE(eventually([&] { return system::readFile(directory_ / "ticks").size() > before + 20; }));
  EXPECT_NE(adopt(), nullptr);  // and its destructor ends it
}

TEST_F(KeptProcesses, AreNotStartedTwice) {
  const auto first = start(shell("exec sleep 600"));
  ASSERT_TRUE(first);
  const auto second = start(shell("exec sleep 600"));
  ASSERT_FALSE(second);
  EXPECT_TRUE(retriable(second.error().kind));
  EXPECT_TRUE(alive((*first)->id()));
}

TEST_F(KeptProcesses, RunAsTheirOwner) {
  if (::getuid() != 0) GTEST_SKIP() << "only root can run programs as another user";
  auto spec = shell("id -u; id -g; id -G");
  spec.workingDirectory = "/";
  spec.owner = std::make_shared<Owner>(Owner{kNobody, kNobody, "nobody", "/", {kNobody}});
  const auto process = start(spec);
  ASSERT_TRUE(process) << process.error().message;
  EXPECT_EQ(exitOf(**process), Exit());
  EXPECT_EQ(log(), "65534\n65534\n65534\n");
}

// The CPU of a process counts on in the group that it is moved into.
TEST_F(KeptProcesses, AreHeldToTheLimitOfWhoAdoptsThem) {
  startAndDie("while :; do :; done");
  const auto process = adopt();
  EXPECT_TRUE(eventually([&] { return process->cpuUsed() > Seconds(0.05); }));
  EXPECT_TRUE(process->change({Cores(100), Cores(100)}));
}

}  // namespace
}  // namespace slaq::local::processes
