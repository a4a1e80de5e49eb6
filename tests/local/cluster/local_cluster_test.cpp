// One machine as the cluster, with real processes.
#include "local/cluster/local_cluster.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "local/cpu/choose_limiter.h"
#include "local/cpu/throttling_limiter.h"
#include "local/support.h"
#include "local/system/reserved_ports.h"

namespace slaq::local::cluster {
namespace {

using testing::HasSubstr;

// Wall and monotonic time that a test moves; processes live in real time meanwhile.
class TestClock final : public Clock {
 public:
  Time now() const override { return Time(Seconds(1'000'000) + age_); }
  Seconds monotonic() const override { return Seconds(50) + age_; }
  void advance(Seconds by) { age_ += by; }

 private:
  Seconds age_{0};
};

constexpr const char* kLoyal = "trap 'exit 143' TERM; echo ready; while :; do sleep 0.05; done";

class Local : public testing::Test {
 protected:
  void startWith(std::vector<ArrivingJob> jobs, const std::filesystem::path& programs = {}) {
    LocalSettings settings;
    settings.programs = programs;
    settings.logs = logs_.path();
    cluster_ = std::move(*LocalCluster::start(std::move(jobs), settings,
                                              std::make_unique<cpu::ThrottlingLimiter>(Cores(8000)), clock_));
  }
  void startWith(TrainingJob job) { startWith(std::vector<ArrivingJob>{{std::move(job), Seconds(0)}}); }
  JobView see() {
    const auto view = cluster_->observe();
    EXPECT_EQ(view->jobs.size(), 1u);
    return view->jobs.at(0);
  }
  void apply(const Action& action) {
    const auto done = cluster_->apply(action);
    EXPECT_TRUE(done) << done.error().message;
  }
  bool seen(const std::function<bool(const JobView&)>& holds) {
    return eventually([&] { return holds(see()); });
  }
  std::string log(const std::string& role) {
    return system::readFile(logs_ / ("default.a." + role + ".log"));
  }

  TemporaryDirectory logs_;
  TestClock clock_;
  std::unique_ptr<LocalCluster> cluster_;
};

TEST_F(Local, ShowsJobsAsTheyArrive) {
  startWith({{jobOf("a", shell("")), Seconds(0)}, {jobOf("b", shell("")), Seconds(10)}});
  const Time start = clock_.now();
  EXPECT_EQ(see().job.created, start);
  EXPECT_FALSE(see().workers.exists);
  EXPECT_EQ(cluster_->apply(StartJob{{"default", "b"}, Workers(1)}).error().kind, ErrorKind::NotFound);
  clock_.advance(Seconds(10));
  const auto view = cluster_->observe();
  ASSERT_EQ(view->jobs.size(), 2u);
  EXPECT_EQ(view->jobs[1].job.key.name, "b");
  EXPECT_EQ(view->jobs[1].job.created, start + Seconds(10));
  EXPECT_EQ(view->time, clock_.now());
}

TEST_F(Local, GivesProcessesWhatTheyNeedToKnow) {
  const std::string say =
      "echo $SLAQ_NAMESPACE $SLAQ_JOB $SLAQ_WORKERS_MIN $SLAQ_WORKERS_MAX i=$SLAQ_WORKER_INDEX "
      "$SLAQ_DRIVER_ADDRESS m=$SLAQ_METRICS_PORT; sleep 1000";
  startWith(jobOf("a", shell(say), shell(say)));
  apply(StartJob{kJob, Workers(2)});
  ASSERT_TRUE(eventually([&] { return !log("driver").empty() && !log("worker-1").empty(); }));
  const auto endpoint = see().metricsEndpoint.value_or("");
  EXPECT_THAT(endpoint, testing::StartsWith("127.0.0.1:"));
  EXPECT_THAT(log("driver"), testing::StartsWith("default a 1 8 i= 127.0.0.1:"));
  EXPECT_THAT(log("driver"), testing::EndsWith("m=" + endpoint.substr(10) + "\n"));
  EXPECT_THAT(log("worker-1"), testing::StartsWith("default a 1 8 i=1 127.0.0.1:"));
  EXPECT_THAT(log("worker-1"), testing::EndsWith("m=\n"));
}

TEST_F(Local, ScalesUpAndDownFromTheHighestIndex) {
  startWith(jobOf("a", shell(kLoyal)));
  apply(StartJob{kJob, Workers(3)});
  EXPECT_EQ(see().workers.active, Workers(3));
  EXPECT_EQ(see().workers.ready, Workers(3));
  ASSERT_TRUE(eventually([&] { return log("worker-2") == "ready\n" && log("worker-1") == "ready\n"; }));
  apply(ScaleWorkers{kJob, Workers(3), Workers(1)});
  apply(ScaleWorkers{kJob, Workers(3), Workers(1)});  // harmless
  EXPECT_EQ(see().workers.desired, Workers(1));
  EXPECT_EQ(see().workers.active, Workers(1));
  EXPECT_TRUE(seen([](const JobView& job) { return job.workers.terminating == Workers(0); }));
  EXPECT_EQ(see().workers.active, Workers(1));
  apply(ScaleWorkers{kJob, Workers(1), Workers(2)});
  EXPECT_TRUE(eventually([&] { return log("worker-1") == "ready\nready\n"; }));
  EXPECT_EQ(log("worker-0"), "ready\n") << "the first stayed";
}

TEST_F(Local, ReportsWorkersThatTakeTheirTimeToEnd) {
  startWith(jobOf("a", shell("trap '' TERM; echo ready; while :; do sleep 0.05; done")));
  apply(StartJob{kJob, Workers(2)});
  ASSERT_TRUE(eventually([&] { return log("worker-1") == "ready\n"; }));
  apply(ScaleWorkers{kJob, Workers(2), Workers(1)});
  clock_.advance(Seconds(4));
  EXPECT_EQ(see().workers.terminating, Workers(1));
  clock_.advance(Seconds(2));
  EXPECT_TRUE(seen([](const JobView& job) { return job.workers.terminating == Workers(0); }));
}

TEST_F(Local, StartsCrashedWorkersAgainUnderTheirIndex) {
  startWith(jobOf("a", shell("echo $SLAQ_WORKER_INDEX; [ $SLAQ_WORKER_INDEX = 0 ] && sleep 1000; exit 1")));
  apply(StartJob{kJob, Workers(2)});
  EXPECT_TRUE(seen([](const JobView& job) { return job.workers.active == Workers(1); }));
  clock_.advance(Seconds(0.6));
  EXPECT_TRUE(eventually([&] { return cluster_->reconcile(), log("worker-1") == "1\n1\n"; }));
  EXPECT_FALSE(see().workers.failed);
}

TEST_F(Local, TellsWhenTheDriverHasSucceeded) {
  startWith(jobOf("a", shell(kLoyal), shell("exit 0")));
  apply(StartJob{kJob, Workers(2)});
  ASSERT_TRUE(seen([](const JobView& job) { return job.driver.succeeded; }));
  EXPECT_FALSE(see().driver.active);
  EXPECT_EQ(see().workers.active, Workers(2));
  apply(FinishJob{kJob});
  EXPECT_TRUE(seen([](const JobView& job) {
    return job.workers.active == Workers(0) && job.workers.terminating == Workers(0);
  }));
  EXPECT_TRUE(see().driver.succeeded);
  EXPECT_TRUE(see().workers.suspended) << "nothing of it is to be counted any more";
}

TEST_F(Local, EndsTheDriverTooWhereAJobIsStoppedEarly) {
  startWith(jobOf("a", shell(kLoyal), shell(kLoyal)));
  apply(StartJob{kJob, Workers(2)});
  ASSERT_TRUE(eventually([&] { return log("driver") == "ready\n"; }));
  apply(FinishJob{kJob});
  EXPECT_TRUE(seen([](const JobView& job) {
    return !job.driver.active && !job.driver.terminating &&
           job.workers.active + job.workers.terminating == Workers(0);
  }));
  EXPECT_FALSE(see().driver.succeeded);
  EXPECT_EQ(see().driver.failures, 0) << "it was told to end";
}

TEST_F(Local, CountsTheDriversFailuresAndShowsItsWords) {
  startWith(jobOf("a", shell(kLoyal), shell("echo no data; exit 4")));
  apply(StartJob{kJob, Workers(1)});
  ASSERT_TRUE(seen([](const JobView& job) { return job.driver.failures == 1; }));
  EXPECT_EQ(cluster_->chiefFailure(kJob), "driver ended with exit code 4; it wrote:\nno data");
  clock_.advance(Seconds(0.5));
  EXPECT_TRUE(seen([](const JobView& job) { return job.driver.failures == 2; }));
  apply(FinishJob{kJob});
  clock_.advance(Seconds(100));
  EXPECT_EQ(see().driver.failures, 2);
  EXPECT_FALSE(see().driver.active);
}

TEST_F(Local, TakesWorkerZeroForTheChiefWithoutADriver) {
  startWith(jobOf("a", shell("[ $SLAQ_WORKER_INDEX = 0 ] && exit 0; sleep 1000")));
  apply(StartJob{kJob, Workers(2)});
  EXPECT_TRUE(seen([](const JobView& job) { return job.workers.succeeded; }));
  EXPECT_FALSE(see().driver.exists);
  EXPECT_FALSE(see().metricsEndpoint);
}

// slaq-report may take long to start the program of worker 0.
TEST_F(Local, BeginsTheOtherWorkersAfterTheProgramOfTheChief) {
  const TemporaryDirectory programs;
  const auto report = programs / "slaq-report";
  std::ofstream(report) << "#!/bin/sh\nuntil [ -e " << (programs / "go").string()
                        << " ]; do :; done\nshift; \"$@\"\n";
  std::filesystem::permissions(report, std::filesystem::perms::owner_all);
  auto job = jobOf("a", shell("echo ready; sleep 1000"));
  job.spec.loss.from = LossFrom();
  startWith({{std::move(job), Seconds(0)}}, programs.path());
  apply(StartJob{kJob, Workers(3)});
  ASSERT_TRUE(seen([](const JobView& job) { return job.workers.active == Workers(1); }));
  for (int i = 0; i < 5; ++i) EXPECT_EQ(see().workers.active, Workers(1));
  std::ofstream(programs / "go");
  ASSERT_TRUE(seen([](const JobView& job) { return job.workers.active == Workers(3); }));
  EXPECT_TRUE(eventually([&] { return log("worker-0") == "ready\n" && log("worker-1") == "ready\n"; }));
}

// Whether the job goes on is decided where it is known which iterations are new.
TEST_F(Local, CountsTheFailuresOfAChiefWithoutDriverAndStartsItAgain) {
  auto job = jobOf("a", shell("exit 5"));
  job.spec.backoffLimit = 1;
  startWith(std::move(job));
  apply(StartJob{kJob, Workers(1)});
  EXPECT_TRUE(
      seen([&](const JobView& view) { return clock_.advance(Seconds(1)), view.workers.failures == 3; }));
  EXPECT_FALSE(see().workers.failed);
  EXPECT_EQ(see().workers.lastFailure, "ended with exit code 5");
  EXPECT_EQ(cluster_->chiefFailures(kJob), std::pair(3, std::string("exit code 5")));
}

TEST_F(Local, SaysThatAProgramIsMissing) {
  auto driver = shell("");
  driver.containers[0].command = {"no-such-trainer"};
  startWith(jobOf("a", shell(kLoyal), driver));
  apply(StartJob{kJob, Workers(1)});
  EXPECT_EQ(see().driver.failed, "the program 'no-such-trainer' is not found on PATH");
  EXPECT_EQ(cluster_->chiefFailure(kJob), "driver: the program 'no-such-trainer' is not found on PATH");
}

TEST_F(Local, TellsWhatTheNextProgramHasToKnowBeforeAnythingIsStarted) {
  startWith(jobOf("a", shell(kLoyal)));
  std::vector<std::size_t> sizes;
  cluster_->rememberBy([&](const JobKey&, const LeftJob& left) {
    EXPECT_TRUE(left.goals.started);
    sizes.push_back(left.goals.workers.size());
    const auto newest = "default.a.worker-" + std::to_string(sizes.back() - 1) + ".log";
    EXPECT_FALSE(std::filesystem::exists(logs_ / newest));
  });
  apply(StartJob{kJob, Workers(1)});
  ASSERT_TRUE(seen([](const JobView& job) { return job.workers.active == Workers(1); }));
  apply(ScaleWorkers{kJob, Workers(1), Workers(2)});
  EXPECT_THAT(sizes, testing::ElementsAre(1, 2));
  EXPECT_TRUE(std::filesystem::exists(logs_ / "default.a.worker-1.log"));
}

TEST_F(Local, TakesAnotherSpecificationOfAJobThatRuns) {
  startWith(jobOf("a", shell("echo old; while :; do sleep 0.05; done")));
  apply(StartJob{kJob, Workers(1)});
  ASSERT_TRUE(eventually([&] { return log("worker-0") == "old\n"; }));
  JobSpec spec = see().job.spec;
  EXPECT_FALSE(cluster_->change(kJob, spec).value()) << "it is what the job has";
  spec.workers.max = Workers(3);
  spec.workers.pod = shell("echo new; while :; do sleep 0.05; done");
  EXPECT_TRUE(cluster_->change(kJob, spec).value());
  EXPECT_EQ(see().job.spec, spec);
  EXPECT_EQ(see().job.generation, 2);
  apply(ScaleWorkers{kJob, Workers(1), Workers(2)});
  EXPECT_TRUE(eventually([&] { return see(), log("worker-1") == "new\n"; }));
  EXPECT_EQ(log("worker-0"), "old\n") << "what runs goes on";
  spec.workers.scaling = Scaling::CPU;
  EXPECT_THAT(cluster_->change(kJob, spec).error().message,
              HasSubstr("spec.workers.scaling of default/a can't be"));
  EXPECT_FALSE(cluster_->change({"default", "b"}, spec).value()) << "there is no such job";
}

TEST_F(Local, SuspendsAndResumes) {
  startWith(jobOf("a", shell(kLoyal), shell(kLoyal)));
  apply(StartJob{kJob, Workers(2)});
  apply(SuspendJob{kJob});
  EXPECT_TRUE(see().workers.suspended);
  EXPECT_TRUE(seen([](const JobView& job) {
    return job.workers.terminating == Workers(0) && !job.driver.active && job.workers.active == Workers(0);
  }));
  EXPECT_EQ(cluster_->apply(ScaleWorkers{kJob, Workers(2), Workers(3)}).error().kind, ErrorKind::Conflict);
  apply(StartJob{kJob, Workers(1)});
  EXPECT_TRUE(seen([](const JobView& job) { return job.driver.active && job.workers.active == Workers(1); }));
  EXPECT_FALSE(see().driver.suspended);
  EXPECT_EQ(see().driver.failures, 0);
}

TEST_F(Local, NeverShowsAJobThatWasRemovedBeforeItArrived) {
  startWith({{jobOf("a", shell(kLoyal)), Seconds(0)}, {jobOf("b", shell(kLoyal)), Seconds(10)}});
  cluster_->remove({"default", "b"});
  clock_.advance(Seconds(20));
  EXPECT_EQ(see().job.key, kJob);
}

// A program that ended by itself needs its ports no longer.
TEST_F(Local, KeepsThePortsOfAJobUntilItHasEnded) {
  startWith(jobOf("a", shell("exit 0")));
  apply(StartJob{kJob, Workers(1)});
  const int port = cluster_->leave().at(kJob).goals.metricsPort;
  const auto isFree = [&] { return system::reservePorts(1, port, port + 1).has_value(); };
  EXPECT_FALSE(isFree());
  ASSERT_TRUE(seen([](const JobView& job) { return job.workers.succeeded; }));
  JobStatus status;
  status.state = JobState::Complete;
  EXPECT_TRUE(cluster_->writeStatus(kJob, "", status));
  EXPECT_TRUE(isFree());
}

TEST_F(Local, RemembersStatusAndEvents) {
  startWith(jobOf("a", shell("")));
  JobStatus status;
  status.state = JobState::Waiting;
  EXPECT_TRUE(cluster_->writeStatus(kJob, "", status));
  EXPECT_EQ(see().status.state, JobState::Waiting);
  EXPECT_FALSE(cluster_->writeStatus({"x", "y"}, "", status));
  cluster_->record(kJob, {false, "Scaled", "It was scaled."});
  EXPECT_THAT(cluster_->takeEvents(), testing::SizeIs(1));
  EXPECT_THAT(cluster_->takeEvents(), testing::IsEmpty());
}

TEST_F(Local, EndsAllProcessesWithItself) {
  const std::string stubborn = "trap '' TERM; sleep 1000 & echo $! $$$$; while :; do wait; done";
  startWith(jobOf("a", shell(stubborn), shell(kLoyal)));
  apply(StartJob{kJob, Workers(2)});
  ASSERT_TRUE(eventually([&] { return !log("worker-0").empty() && !log("worker-1").empty(); }));
  cluster_.reset();
  for (const char* role : {"worker-0", "worker-1"}) {
    pid_t child = 0, self = 0;
    std::istringstream(log(role)) >> child >> self;
    EXPECT_FALSE(alive(self));
    EXPECT_TRUE(eventually([&] { return !alive(child); }));
  }
}

// Commands are expanded as Kubernetes does it, so a script's $$ is written $$$$.
//
// In a process of its own: runs a cluster until it is killed. Its jobs write their ids into `notes`.
[[noreturn]] void runUntilKilled(const std::filesystem::path& notes) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // should the test itself be killed
  const SystemClock clock;
  const std::string script = "sleep 1000 & echo $! >" + notes.string() + "/child; echo $$$$ >" +
                             notes.string() + "/worker; trap '' TERM; while :; do wait; done";
  auto limiter = cpu::chooseCpuLimiter(Cores(8000));
  for (const auto& groups : limiter->directories())
    (void)system::writeFile(notes / "groups", groups.string());
  const auto cluster =
      LocalCluster::start({{jobOf("a", shell(script)), Seconds(0)}}, {}, std::move(limiter), clock).value();
  (void)cluster->observe();
  (void)cluster->apply(StartJob{kJob, Workers(1)});
  while (true) ::pause();
}

TEST(LocalEnd, TakesAllProcessesAndGroupsAlongEvenIfKilled) {
  const TemporaryDirectory notes;
  const pid_t parent = ::fork();
  if (parent == 0) runUntilKilled(notes.path());
  ASSERT_TRUE(eventually([&] { return processIn(notes / "worker") > 0 && processIn(notes / "child") > 0; }));
  const pid_t worker = processIn(notes / "worker");
  const pid_t child = processIn(notes / "child");
  EXPECT_TRUE(alive(worker));
  EXPECT_TRUE(alive(child));
  ASSERT_EQ(::kill(parent, SIGKILL), 0);
  ASSERT_EQ(::waitpid(parent, nullptr, 0), parent);
  EXPECT_TRUE(eventually([&] { return !alive(worker); }));
  EXPECT_TRUE(eventually([&] { return !alive(child); }));
  const auto groups = system::readFile(notes / "groups");
  EXPECT_TRUE(eventually([&] { return groups.empty() || !std::filesystem::exists(groups); }));
}

}  // namespace
}  // namespace slaq::local::cluster
