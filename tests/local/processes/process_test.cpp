// Single processes and what supervises them: how they end, are started again, and never stay behind.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "local/cpu/throttling_limiter.h"
#include "local/processes/child_process.h"
#include "local/processes/supervised_process.h"
#include "local/support.h"

namespace slaq::local::processes {
namespace {

using testing::HasSubstr;

class Processes : public testing::Test {
 protected:
  ProcessSpec shell(const std::string& script) {
    return {
        "/bin/sh", {"sh", "-c", script}, {"PATH=/usr/bin:/bin", "GREETING=hello"}, "", directory_ / "log"};
  }
  Result<std::unique_ptr<Process>> start(const ProcessSpec& spec) {
    return ChildProcess::start(spec, limiter_.limit("p", {Cores(1000), Cores(1000)}).value(), *watchdog_);
  }
  Exit exitOf(Process& process) {
    EXPECT_TRUE(eventually([&] { return process.poll().has_value(); }));
    return process.poll().value_or(Exit{-1, -1});
  }
  std::string log() const { return system::readFile(directory_ / "log"); }

  TemporaryDirectory directory_;
  cpu::ThrottlingLimiter limiter_{Cores(8000)};
  std::unique_ptr<Watchdog> watchdog_ = Watchdog::start({}).value();
};

TEST_F(Processes, TellHowTheyEnded) {
  const std::pair<const char*, Exit> cases[] = {
      {"exit 0", {0, 0}}, {"exit 3", {3, 0}}, {"kill -KILL $$", {0, SIGKILL}}};
  for (const auto& [script, exit] : cases) EXPECT_EQ(exitOf(**start(shell(script))), exit) << script;
  EXPECT_EQ(toString(Exit{3, 0}), "exit code 3");
  EXPECT_EQ(toString(Exit{0, SIGKILL}), "signal 9 (Killed)");
}

TEST_F(Processes, WriteIntoTheirLogAndReadNothing) {
  const auto process = start(shell("echo $GREETING; cat; echo oops >&2"));
  ASSERT_TRUE(process);
  EXPECT_EQ(exitOf(**process), Exit());
  EXPECT_EQ(log(), "hello\noops\n");
}

TEST_F(Processes, StartInTheirWorkingDirectory) {
  auto spec = shell("pwd");
  spec.workingDirectory = "/usr";
  const auto process = start(spec);
  ASSERT_TRUE(process);
  exitOf(**process);
  EXPECT_EQ(log(), "/usr\n");
}

TEST_F(Processes, SayWhyTheyCantStart) {
  auto spec = shell("");
  spec.program = "/nowhere/trainer";
  const auto unknown = start(spec);
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error(),
            (Error{ErrorKind::Invalid, "can't execute /nowhere/trainer: No such file or directory"}));
  spec = shell("");
  spec.workingDirectory = "/nowhere";
  const auto lost = start(spec);
  ASSERT_FALSE(lost);
  EXPECT_THAT(lost.error().message, HasSubstr("can't change to the working directory /nowhere"));
}

TEST_F(Processes, TakeAllThatTheyStartedWithThem) {
  auto process =
      std::move(*start(shell("sleep 1000 & echo $! >>" + (directory_ / "child").string() + "; exit 0")));
  EXPECT_EQ(exitOf(*process), Exit());
  const pid_t child = processIn(directory_ / "child");
  ASSERT_GT(child, 0);
  EXPECT_TRUE(eventually([&] { return !alive(child); }));
}

TEST_F(Processes, EndWithTheirOwner) {
  auto process = std::move(*start(shell("trap '' TERM; while :; do sleep 1; done")));
  const pid_t id = process->id();
  EXPECT_TRUE(alive(id));
  process.reset();
  EXPECT_FALSE(alive(id));
}

// timeout and torchrun give what they start a group or a session of its own.
TEST_F(Processes, EndWithWhatTheyStartedInOtherGroups) {
  const std::string file = directory_ / "group";
  auto process = std::move(*start(shell("setsid sh -c 'echo $$ > " + file + ".new; mv " + file + ".new " +
                                        file + "; exec sleep 1000' & wait")));
  ASSERT_TRUE(eventually([&] { return std::filesystem::exists(file); }));
  const pid_t child = std::stoi(system::readFile(file));
  EXPECT_TRUE(alive(child));
  process->kill();
  EXPECT_TRUE(eventually([&] { return !alive(child); }));
}

class SupervisedProcesses : public Processes {
 protected:
  SupervisedProcess supervised(const std::string& script, Seconds grace = Seconds(5)) {
    return SupervisedProcess([this, script] { return ++starts_, start(shell(script)); }, grace);
  }
  void reconcileUntil(SupervisedProcess& process, Seconds now, const std::function<bool()>& holds) {
    EXPECT_TRUE(eventually([&] { return process.reconcile(now), holds(); }));
  }

  int starts_ = 0;
};

TEST(PauseAfter, DoublesUpToTenSeconds) {
  EXPECT_EQ(pauseAfter(1), Seconds(0.5));
  EXPECT_EQ(pauseAfter(2), Seconds(1));
  EXPECT_EQ(pauseAfter(5), Seconds(8));
  EXPECT_EQ(pauseAfter(6), Seconds(10));
  EXPECT_EQ(pauseAfter(1000), Seconds(10));
}

TEST_F(SupervisedProcesses, StartFailedProcessesAgainAfterAPause) {
  auto process = supervised("exit 3");
  process.want(true);
  reconcileUntil(process, Seconds(100), [&] { return process.failures() == 1; });
  EXPECT_EQ(process.lastFailure(), "exit code 3");
  process.reconcile(Seconds(100.4));
  EXPECT_EQ(starts_, 1);
  reconcileUntil(process, Seconds(100.5), [&] { return process.failures() == 2; });
  EXPECT_EQ(starts_, 2);
  process.reconcile(Seconds(101.4));
  EXPECT_EQ(starts_, 2);
  process.reconcile(Seconds(101.6));
  EXPECT_EQ(starts_, 3);
}

TEST_F(SupervisedProcesses, AreNotStartedOnceMoreThanAllowedBeforeALookLetsItPass) {
  SupervisedProcess process([&] { return ++starts_, start(shell("exit 3")); }, Seconds(5), {},
                            [] { return 0; });
  process.want(true);
  process.noteLook();
  reconcileUntil(process, Seconds(100), [&] { return process.failures() == 1; });
  process.noteLook();  // what this epoch does is not known yet
  process.reconcile(Seconds(200));
  EXPECT_EQ(starts_, 1);
  process.noteLook();
  process.reconcile(Seconds(200));
  EXPECT_EQ(starts_, 2);
}

// A shell without its command ends so at once. A program that has run may end so as well, and is started
// again.
TEST_F(SupervisedProcesses, AreNotStartedAgainWhereThereIsNoCommand) {
  struct Case {
    bool needsCommand;
    double seconds;  // from its start to its end
    bool isFinal;
  };
  for (const auto& [needsCommand, seconds, isFinal] :
       {Case{true, 1, true}, Case{true, 60, false}, Case{false, 1, false}}) {
    SupervisedProcess process([this] { return start(shell("nosuchprogram")); }, Seconds(5),
                              [needsCommand = needsCommand] { return needsCommand; });
    process.want(true);
    process.reconcile(Seconds(0));
    reconcileUntil(process, Seconds(seconds), [&] { return process.failures() == 1; });
    EXPECT_EQ(process.impossible().value_or(""),
              isFinal ? "ended with exit code 127: its command was not found" : "");
  }
}

TEST_F(SupervisedProcesses, ForgetOldFailuresAfterALongRun) {
  auto process = supervised("exit 3");
  process.want(true);
  process.reconcile(Seconds(0));
  reconcileUntil(process, Seconds(20),
                 [&] { return process.failures() == 1; });  // it seems to have run for 20 s
  process.reconcile(Seconds(40));
  reconcileUntil(process, Seconds(60), [&] { return process.failures() == 2; });
  process.reconcile(Seconds(60.6));
  EXPECT_EQ(starts_, 3) << "the pause began at its least again";
}

TEST_F(SupervisedProcesses, LeaveAloneWhatEndedWell) {
  auto process = supervised("exit 0");
  process.want(true);
  reconcileUntil(process, Seconds(0), [&] { return process.succeeded(); });
  process.reconcile(Seconds(100));
  EXPECT_EQ(starts_, 1);
  EXPECT_FALSE(process.active());
}

TEST_F(SupervisedProcesses, EndGentlyFirst) {
  auto process = supervised("trap 'exit 0' TERM; echo ready; while :; do sleep 0.05; done");
  process.want(true);
  reconcileUntil(process, Seconds(0), [&] { return log() == "ready\n"; });
  process.want(false);
  process.reconcile(Seconds(0));
  EXPECT_TRUE(process.terminating());
  EXPECT_FALSE(process.active());
  reconcileUntil(process, Seconds(0), [&] { return !process.terminating(); });
  EXPECT_FALSE(process.succeeded()) << "it was told to end";
  EXPECT_EQ(process.failures(), 0);
}

TEST_F(SupervisedProcesses, EndByForceAfterTheGrace) {
  auto process = supervised("trap '' TERM; echo ready; while :; do sleep 0.05; done");
  process.want(true);
  reconcileUntil(process, Seconds(0), [&] { return log() == "ready\n"; });
  process.want(false);
  process.reconcile(Seconds(0));
  process.reconcile(Seconds(4.9));
  EXPECT_TRUE(process.terminating());
  reconcileUntil(process, Seconds(5.1), [&] { return !process.terminating(); });
}

TEST_F(SupervisedProcesses, WaitForTheOldProcessBeforeANewOne) {
  auto process = supervised("trap '' TERM; echo ready; while :; do sleep 0.05; done");
  process.want(true);
  reconcileUntil(process, Seconds(0), [&] { return log() == "ready\n"; });
  process.want(false);
  process.reconcile(Seconds(0));
  process.want(true);
  process.reconcile(Seconds(1));
  EXPECT_EQ(starts_, 1);
  EXPECT_TRUE(process.terminating());
}

TEST_F(SupervisedProcesses, KnowWhatCanNeverStart) {
  SupervisedProcess process(
      [this] {
        return ++starts_, start({"/nowhere/x", {"x"}, {}, "", directory_ / "log"});
      },
      Seconds(5));
  process.want(true);
  for (const int now : {0, 10, 20}) process.reconcile(Seconds(now));
  EXPECT_EQ(starts_, 1);
  EXPECT_THAT(process.impossible().value_or(""), HasSubstr("can't execute /nowhere/x"));
}

}  // namespace
}  // namespace slaq::local::processes
