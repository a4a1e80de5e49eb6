// The memory of a shared GPU, as far as it is known. The test plays nvidia-smi; the processes are real.
#include "local/cluster/gpu_sharing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "local/cpu/throttling_limiter.h"
#include "local/processes/machine.h"
#include "local/support.h"

namespace slaq::local::cluster {
namespace {

constexpr Mebibytes kTotal{80'000};

TrainingJob trainingOf(const std::string& name, const std::string& kind = "",
                       std::optional<Mebibytes> declared = {}) {
  TrainingJob job = jobOf(name, shell("sleep 1000"));
  job.kind = kind.empty() ? name : kind;
  job.spec.workers.max = Workers(1);
  job.spec.workers.pod.containers.front().gpuMemory = declared;
  return job;
}

class SharedGpu : public testing::Test {
 protected:
  // A job of which nothing runs yet.
  processes::JobProcesses& add(TrainingJob job) {
    auto& entry = *jobs_.emplace_back(std::make_unique<Entry>(std::move(job), machine_));
    return entry.processes;
  }
  processes::JobProcesses& start(TrainingJob job) {
    auto& processes = add(std::move(job));
    EXPECT_TRUE(processes.start(Workers(1)));
    processes.reconcile(clock_.monotonic());
    return processes;
  }
  void TearDown() override {
    for (const auto& each : jobs_) each->processes.kill();
  }

  SharedMemory look() {
    std::vector<GpuSharer> sharers;
    for (const auto& each : jobs_) sharers.push_back({each->job, each->processes});
    return sharing_.look(sharers, now_ += Seconds(2));
  }
  std::optional<Mebibytes> needOf(const TrainingJob& job) const { return sharing_.needOf(job); }
  void takes(processes::JobProcesses& processes, Mebibytes memory) {
    reading_.byProcess[processes.processes().front()] = memory;
    reading_.used += memory;
  }

  struct Entry {
    Entry(TrainingJob given, processes::Machine& machine) : job(std::move(given)), processes(job, machine) {}
    TrainingJob job;
    processes::JobProcesses processes;
  };
  TemporaryDirectory logs_;
  SystemClock clock_;
  processes::Machine machine_{.directory = processes::RunDirectory::make(logs_.path()).value(),
                              .limiter = std::make_unique<cpu::ThrottlingLimiter>(Cores(1000)),
                              .watchdog = processes::Watchdog::start({}).value(),
                              .path = processes::searchPath({})};
  std::vector<std::unique_ptr<Entry>> jobs_;
  int readings_ = 0;
  system::GpuMemory reading_{.total = kTotal, .used = Mebibytes(500), .byProcess = {}};
  GpuSharing sharing_{reading_, [this] { return ++readings_, Result<system::GpuMemory>(reading_); }};
  Seconds now_{0};
};

TEST_F(SharedGpu, IsFreeButForWhatOthersHaveOfIt) {
  add(trainingOf("a"));
  EXPECT_EQ(look(), (SharedMemory{kTotal, kTotal - Mebibytes(500), false}));
  EXPECT_EQ(needOf(trainingOf("a")), std::nullopt);
}

TEST_F(SharedGpu, IsPromisedToAJobThatDeclaresItBeforeItTakesAny) {
  start(trainingOf("a", "", Mebibytes(20'000)));
  EXPECT_EQ(look().free, kTotal - Mebibytes(20'000));
  add(trainingOf("waits"));
  look();
  EXPECT_EQ(look().free, kTotal - Mebibytes(20'000));
}

TEST_F(SharedGpu, IsMeasuredOnceAJobShowsLosses) {
  auto& a = start(trainingOf("a", "cnn"));
  takes(a, Mebibytes(9'000));
  EXPECT_TRUE(look().measuring);
  EXPECT_EQ(readings_, 0) << "nobody waits, and a start says little";
  a.noteLoss();
  EXPECT_EQ(look(), (SharedMemory{kTotal, kTotal - Mebibytes(9'500), false}));
  EXPECT_EQ(a.goals().gpuMemory, Mebibytes(9'000)) << "another program goes on with it";
  look();
  EXPECT_EQ(readings_, 1) << "nobody waits, and all is known";
}

TEST_F(SharedGpu, KeepsThePeakForTheJobAndItsKind) {
  auto& a = start(trainingOf("a", "cnn"));
  a.noteLoss();
  add(trainingOf("waits", "cnn"));
  for (const int memory : {9'000, 12'000, 7'000}) {
    reading_ = {.total = kTotal, .used = {}, .byProcess = {}};
    takes(a, Mebibytes(memory));
    look();
  }
  EXPECT_EQ(needOf(trainingOf("b", "cnn")), Mebibytes(12'000));
  EXPECT_EQ(needOf(trainingOf("b", "gpt")), Mebibytes(12'000)) << "the most of any";
  EXPECT_EQ(needOf(trainingOf("b", "cnn", Mebibytes(3'000))), Mebibytes(3'000)) << "what it says itself";
  sharing_.note(trainingOf("c", "gpt"), Mebibytes(30'000));
  EXPECT_EQ(needOf(trainingOf("b", "cnn")), Mebibytes(12'000));
  EXPECT_EQ(needOf(trainingOf("b", "lstm")), Mebibytes(30'000));
}

TEST_F(SharedGpu, IsDividedByThoseThatRunWhereNvidiaSmiKnowsNoProcess) {
  auto& waits = add(trainingOf("waits"));
  reading_.used = Mebibytes(4'000);  // of others
  look();
  ASSERT_TRUE(waits.start(Workers(1)));
  waits.reconcile(clock_.monotonic());
  waits.noteLoss();
  start(trainingOf("b", "", Mebibytes(2'000))).noteLoss();
  reading_.used = Mebibytes(14'000);
  EXPECT_EQ(look(), (SharedMemory{kTotal, kTotal - Mebibytes(14'000), false}));
  EXPECT_EQ(needOf(trainingOf("waits")), Mebibytes(5'000));
  EXPECT_EQ(needOf(trainingOf("b", "", Mebibytes(2'000))), Mebibytes(2'000)) << "a guess is no measurement";
}

TEST_F(SharedGpu, IsNotTakenByAJobWithoutMemoryOnIt) {
  auto& big = start(trainingOf("big"));
  start(trainingOf("small")).noteLoss();
  takes(big, Mebibytes(5'000));
  big.noteLoss();
  look();
  EXPECT_EQ(needOf(trainingOf("small")), Mebibytes(0));
}

TEST_F(SharedGpu, StaysPromisedBetweenAFailureAndTheNextTry) {
  auto job = trainingOf("a", "", Mebibytes(20'000));
  job.spec.workers.pod = shell("exit 1");
  job.spec.workers.pod.containers.front().gpuMemory = Mebibytes(20'000);
  auto& processes = start(std::move(job));
  ASSERT_TRUE(eventually([&] { return processes.reconcile(Seconds(0)), processes.gone(); }));
  EXPECT_EQ(look().free, kTotal - Mebibytes(20'000));
}

TEST_F(SharedGpu, IsPromisedToAllWorkersThatAJobMayHave) {
  auto job = trainingOf("a", "", Mebibytes(4'000));
  job.spec.workers.max = Workers(4);
  EXPECT_EQ(needOf(job), Mebibytes(16'000));
}

TEST_F(SharedGpu, IsMeasuredAfterAMinuteOfAJobThatShowsNoLoss) {
  auto& a = start(trainingOf("a"));
  takes(a, Mebibytes(9'000));
  EXPECT_TRUE(look().measuring);
  now_ += Seconds(60);
  EXPECT_FALSE(look().measuring);
  EXPECT_EQ(needOf(trainingOf("a")), Mebibytes(9'000));
}

TEST_F(SharedGpu, IsReadAgainWhileAJobWaitsAndNotTooOften) {
  auto& a = start(trainingOf("a", "", Mebibytes(79'000)));
  a.noteLoss();
  takes(a, Mebibytes(79'000));
  add(trainingOf("waits", "", Mebibytes(40'000)));
  EXPECT_LT(look().free, Mebibytes(40'000));
  a.finish();
  a.kill();
  reading_ = {.total = kTotal, .used = {}, .byProcess = {}};
  EXPECT_EQ(look().free, kTotal);
  const int before = readings_;
  now_ -= Seconds(1.5);
  look();
  EXPECT_EQ(readings_, before);
}

TEST_F(SharedGpu, IsWhatWasKnownWhereNvidiaSmiFails) {
  int tries = 0;
  GpuSharing sharing(reading_, [&] { return ++tries, failure(ErrorKind::Transient, "the driver hangs"); });
  add(trainingOf("waits"));
  start(trainingOf("a")).noteLoss();
  const GpuSharer sharers[] = {{jobs_[0]->job, jobs_[0]->processes}, {jobs_[1]->job, jobs_[1]->processes}};
  EXPECT_EQ(sharing.look(sharers, Seconds(2)), (SharedMemory{kTotal, kTotal - Mebibytes(500), true}));
  sharing.look(sharers, Seconds(61));
  EXPECT_EQ(tries, 1) << "each try may hold up everything";
  sharing.look(sharers, Seconds(62));
  EXPECT_EQ(tries, 2);
}

}  // namespace
}  // namespace slaq::local::cluster
