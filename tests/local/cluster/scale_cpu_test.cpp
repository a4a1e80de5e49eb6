// Workers whose cores move in place, and jobs that are deleted: what the cluster tells its CPU limiter, and
// what it shows.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "local/cluster/local_cluster.h"
#include "local/support.h"

namespace slaq::local::cluster {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// The limits that processes were given, in order; refuses to move a limit once it is `stuck`.
struct LimitRecord {
  std::vector<std::string> lines;
  bool stuck = false;
};

std::string textOf(const cpu::CpuResources& resources) {
  return toString(resources.request) + " of " + toString(resources.limit);
}

class RecordedLimit final : public cpu::CpuLimit {
 public:
  RecordedLimit(std::shared_ptr<LimitRecord> record, std::string name)
      : record_(std::move(record)), name_(std::move(name)) {}
  void attach(pid_t) override {}
  void adopt(pid_t) override {}
  Result<void> change(const cpu::CpuResources& resources) override {
    if (record_->stuck) return failure(ErrorKind::Forbidden, "the limit is stuck");
    record_->lines.push_back(name_ + " now " + textOf(resources));
    return {};
  }
  Seconds used() override { return Seconds(0); }
  void release() override {}

 private:
  std::shared_ptr<LimitRecord> record_;
  std::string name_;
};

class RecordingLimiter final : public cpu::CpuLimiter {
 public:
  explicit RecordingLimiter(std::shared_ptr<LimitRecord> record) : record_(std::move(record)) {}
  Result<std::unique_ptr<cpu::CpuLimit>> limit(const std::string& name,
                                               const cpu::CpuResources& resources) override {
    record_->lines.push_back(name + " " + textOf(resources));
    return std::unique_ptr<cpu::CpuLimit>(std::make_unique<RecordedLimit>(record_, name));
  }
  std::string means() const override { return "a record"; }

 private:
  std::shared_ptr<LimitRecord> record_;
};

constexpr const char* kIdle = "echo $$$$; while :; do sleep 0.05; done";  // $$$$: Kubernetes' way to write $$

class LocalCpu : public testing::Test {
 protected:
  static TrainingJob scalingByCpu(Cores request = Cores(500), Cores limit = Cores(500)) {
    auto job = jobOf("a", shell(kIdle, limit));
    job.spec.workers.pod.containers[0].request = request;
    job.spec.workers.scaling = Scaling::CPU;
    job.spec.workers.cpu = {Cores(100), Cores(2000)};
    return job;
  }
  void startWith(TrainingJob job) {
    LocalSettings settings;
    settings.logs = logs_.path();
    cluster_ = LocalCluster::start({{std::move(job), Seconds(0)}}, settings,
                                   std::make_unique<RecordingLimiter>(record_), clock_)
                   .value();
  }
  void apply(const Action& action) {
    const auto done = cluster_->apply(action);
    EXPECT_TRUE(done) << done.error().message;
  }
  ClusterView see() { return cluster_->observe().value(); }
  CpuView cpu() { return see().jobs.at(0).workers.cpu.value(); }
  std::vector<std::string> takeLimits() { return std::exchange(record_->lines, {}); }
  std::string log(const std::string& role) {
    return system::readFile(logs_ / ("default.a." + role + ".log"));
  }

  TemporaryDirectory logs_;
  SystemClock clock_;
  std::shared_ptr<LimitRecord> record_ = std::make_shared<LimitRecord>();
  std::unique_ptr<LocalCluster> cluster_;
};

TEST_F(LocalCpu, StartsWorkersWithTheCoresThatItIsTold) {
  startWith(scalingByCpu());
  EXPECT_FALSE(see().jobs[0].workers.cpu) << "nothing runs yet";
  apply(StartJob{kJob, Workers(2), Cores(750)});
  EXPECT_THAT(takeLimits(),
              testing::UnorderedElementsAre("default.a.worker-0 750m of 2", "default.a.worker-1 750m of 2"));
  EXPECT_EQ(cpu(), (CpuView{.asked = Cores(750), .held = Cores(1500), .used = Seconds(0)}));
}

TEST_F(LocalCpu, StartsWithTheTemplatesCoresIfItIsToldNone) {
  startWith(scalingByCpu());
  apply(StartJob{kJob, Workers(1)});
  EXPECT_THAT(takeLimits(), ElementsAre("default.a.worker-0 500m of 2"));
}

TEST_F(LocalCpu, MovesTheCoresOfRunningWorkersWithoutARestart) {
  startWith(scalingByCpu());
  apply(StartJob{kJob, Workers(1), Cores(500)});
  ASSERT_TRUE(eventually([&] { return !log("worker-0").empty(); }));
  const auto begun = log("worker-0");
  takeLimits();
  apply(ScaleCpu{kJob, Cores(500), Cores(1250)});
  apply(ScaleCpu{kJob, Cores(1250), Cores(200)});
  EXPECT_THAT(takeLimits(),
              ElementsAre("default.a.worker-0 now 1250m of 2", "default.a.worker-0 now 200m of 2"));
  EXPECT_EQ(cpu(), (CpuView{.asked = Cores(200), .held = Cores(200), .used = Seconds(0)}));
  EXPECT_EQ(log("worker-0"), begun) << "the same process, begun once";
  EXPECT_EQ(see().jobs[0].workers.failures, 0);
}

// The limit is that of the most that a worker may be given, 2 cores, or the template's if that is more.
TEST_F(LocalCpu, MovesTheRequestAndKeepsTheLimitOfTheMostThatAWorkerMayHave) {
  startWith(scalingByCpu(Cores(500), Cores(1000)));
  apply(StartJob{kJob, Workers(1), Cores(500)});
  apply(ScaleCpu{kJob, Cores(500), Cores(250)});
  EXPECT_THAT(takeLimits(), ElementsAre("default.a.worker-0 500m of 2", "default.a.worker-0 now 250m of 2"));
  EXPECT_EQ(cpu().held, Cores(250));
}

TEST_F(LocalCpu, MovesTheLimitWithTheRequestWhereTheCeilingIsHard) {
  auto job = scalingByCpu(Cores(500), Cores(1000));
  job.spec.workers.cpu.ceiling = CpuCeiling::Hard;
  startWith(job);
  apply(StartJob{kJob, Workers(1), Cores(500)});
  ASSERT_TRUE(cluster_->writeStatus(kJob, "", {.progress = Progress()}));
  apply(ScaleCpu{kJob, Cores(500), Cores(250)});
  EXPECT_THAT(takeLimits(), ElementsAre("default.a.worker-0 500m of 2", "default.a.worker-0 now 500m of 1",
                                        "default.a.worker-0 now 250m of 500m"));
}

TEST_F(LocalCpu, LetsWorkersUseMoreUntilTheirFirstLoss) {
  auto job = scalingByCpu();
  job.spec.workers.start.cpu = Cores(3000);
  startWith(job);
  apply(StartJob{kJob, Workers(1), Cores(500)});
  ASSERT_TRUE(cluster_->writeStatus(kJob, "", {}));
  EXPECT_THAT(takeLimits(), ElementsAre("default.a.worker-0 500m of 3"));
  ASSERT_TRUE(cluster_->writeStatus(kJob, "", {.progress = Progress()}));
  ASSERT_TRUE(cluster_->writeStatus(kJob, "", {.progress = Progress()}));
  EXPECT_THAT(takeLimits(), ElementsAre("default.a.worker-0 now 500m of 2"));
}

TEST_F(LocalCpu, GivesWorkersThatComeLaterTheSame) {
  startWith(scalingByCpu());
  apply(StartJob{kJob, Workers(1), Cores(500)});
  apply(ScaleCpu{kJob, Cores(500), Cores(300)});
  takeLimits();
  apply(ScaleWorkers{kJob, Workers(1), Workers(2)});
  EXPECT_THAT(takeLimits(), ElementsAre("default.a.worker-1 300m of 2"));
}

TEST_F(LocalCpu, SaysWhyCoresCannotBeMovedAndTriesAgainIfTold) {
  startWith(scalingByCpu());
  apply(StartJob{kJob, Workers(1), Cores(800)});
  record_->stuck = true;
  EXPECT_FALSE(cluster_->apply(ScaleCpu{kJob, Cores(800), Cores(300)}));
  EXPECT_EQ(cpu(), (CpuView{.asked = Cores(300),
                            .held = Cores(800),
                            .settled = false,
                            .obstacle = "the limit is stuck",
                            .impossible = {},
                            .used = Seconds(0)}));
  record_->stuck = false;
  apply(ScaleCpu{kJob, Cores(300), Cores(300)});
  EXPECT_EQ(cpu(), (CpuView{.asked = Cores(300), .held = Cores(300), .used = Seconds(0)}));
}

TEST_F(LocalCpu, RefusesToMoveTheCoresOfAJobThatDoesNotRun) {
  startWith(scalingByCpu());
  EXPECT_EQ(cluster_->apply(ScaleCpu{kJob, Cores(500), Cores(300)}).error().kind, ErrorKind::Conflict);
  apply(StartJob{kJob, Workers(1), Cores(500)});
  apply(SuspendJob{kJob});
  EXPECT_EQ(cluster_->apply(ScaleCpu{kJob, Cores(500), Cores(300)}).error().kind, ErrorKind::Conflict);
  EXPECT_TRUE(eventually([&] { return !see().jobs[0].workers.cpu; }));
}

TEST_F(LocalCpu, CountsWorkersOnTheirWayOutWithTheCoresThatTheyWereMovedTo) {
  auto job = scalingByCpu();
  const auto stop = logs_ / "stop";
  const std::string command =
      "trap '' TERM; echo ready; until [ -e " + stop.string() + " ]; do sleep 0.05; done";
  job.spec.workers.pod.containers[0].command = {"/bin/sh", "-c", command};
  startWith(job);
  apply(StartJob{kJob, Workers(1), Cores(500)});
  ASSERT_TRUE(eventually([&] { return log("worker-0") == "ready\n"; }));
  apply(ScaleCpu{kJob, Cores(500), Cores(1500)});
  apply(SuspendJob{kJob});
  EXPECT_EQ(cpu().held, Cores(1500));
  std::ofstream(stop).close();
  EXPECT_TRUE(eventually([&] { return !see().jobs[0].workers.cpu; }));
}

TEST_F(LocalCpu, ShowsADeletedJobOnlyByTheCoresThatItStillHolds) {
  auto job = scalingByCpu();
  job.spec.driver = shell("trap '' TERM; echo ready; while :; do sleep 0.05; done", Cores(250));
  startWith(job);
  apply(StartJob{kJob, Workers(2), Cores(300)});
  ASSERT_TRUE(eventually([&] { return log("driver") == "ready\n"; }));
  apply(DeleteJob{kJob});
  const auto view = see();
  EXPECT_THAT(view.jobs, IsEmpty());
  EXPECT_GE(view.leaving, Cores(250));
  EXPECT_EQ(cluster_->apply(FinishJob{kJob}).error().kind, ErrorKind::NotFound);
  EXPECT_TRUE(eventually([&] { return see().leaving == Cores(); }));
}

}  // namespace
}  // namespace slaq::local::cluster
