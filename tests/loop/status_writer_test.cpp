#include "loop/write/status_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <deque>
#include <latch>
#include <thread>

#include "support/jobs.h"

namespace slaq::loop {
namespace {

using slaq::testing::viewOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::SizeIs;

// Keeps the names of the jobs whose statuses were written.
class Names final : public Cluster {
 public:
  Result<ClusterView> observe() override { return ClusterView(); }
  Result<void> apply(const Action&) override { return {}; }
  Result<void> writeStatus(const JobKey& job, const std::string&, const JobStatus&) override {
    tried.push_back(job.name);
    if (const auto found = refused.find(job.name); found != refused.end())
      return failure(found->second, "refused");
    written.push_back(job.name);
    return {};
  }
  void record(const JobKey& job, const Event& event) override {
    events.push_back(job.name + " " + event.reason);
  }

  std::map<std::string, ErrorKind> refused;
  std::vector<std::string> tried;
  std::vector<std::string> written;
  std::vector<std::string> events;
};

class ManualClock final : public Clock {
 public:
  Time now() const override { return Time(time); }
  Seconds monotonic() const override { return time += Seconds(0.001); }
  mutable Seconds time{1000};
};

// Epochs of three seconds.
class StatusWriterTest : public ::testing::Test {
 protected:
  // A job whose next status is in that state, where the one before says that it is pending.
  void add(const std::string& name, JobState next = JobState::Running) {
    views.push_back(viewOf(name));
    statuses.push_back(views.back().status);
    statuses.back().state = next;
    if (next == JobState::Complete)
      set(statuses.back().conditions, {.type = ConditionType::Complete, .status = Truth::True});
  }
  void addMany(int count, const std::string& prefix) {
    for (int n = 0; n < count; ++n) add(prefix + std::to_string(n));
  }

  // What one epoch writes; what it wrote is what the cluster has.
  void epoch() {
    cluster.tried.clear();
    cluster.written.clear();
    snapshot.now = clock.now();
    snapshot.jobs.clear();
    for (auto& view : views) snapshot.jobs.push_back({&view, nullptr});
    writer.beginObserving();
    writer.begin(snapshot, statuses, {.epoch = Seconds(3)});
    writer.writeEnds(mayGoOn);
    endsFirst = cluster.written;
    writer.writeOthers(mayGoOn);
    for (std::size_t i = 0; i < views.size(); ++i) {
      if (std::ranges::count(cluster.written, views[i].job.key.name) > 0) views[i].status = statuses[i];
    }
    clock.time += Seconds(3);
  }
  // Each of them has something new to say again.
  void change() {
    for (std::size_t i = 0; i < views.size(); ++i) ++statuses[i].observedGeneration;
  }

  Names cluster;
  ManualClock clock;
  std::deque<JobView> views;
  std::vector<JobStatus> statuses;
  scheduler::Snapshot snapshot;
  std::vector<std::string> endsFirst;
  std::function<bool()> mayGoOn = [] { return true; };
  StatusWriter writer{cluster, clock};
};

TEST_F(StatusWriterTest, WritesEndsBeforeAllOtherNews) {
  addMany(40, "a");
  add("z", JobState::Complete);
  epoch();
  EXPECT_THAT(endsFirst, ElementsAre("z"));
  EXPECT_TRUE(writer.isEndWritten({"default", "z"}));
  EXPECT_THAT(cluster.written, SizeIs(41));
}

// What only drifts costs the server no more where there is more of it.
TEST_F(StatusWriterTest, WritesWhatOnlyDriftsAtTheLowestRate) {
  addMany(200, "a");
  epoch();
  for (auto& status : statuses) status.progress = Progress{.loss = Loss(1)};
  clock.time += Seconds(60);
  for (int n = 0; n < 4; ++n) {
    epoch();
    EXPECT_THAT(cluster.written, SizeIs(15));
  }
}

TEST_F(StatusWriterTest, WritesNoMoreOfWhatDriftsWhereEpochsAreEarly) {
  addMany(200, "a");
  epoch();
  for (auto& status : statuses) status.progress = Progress{.loss = Loss(1)};
  clock.time += Seconds(60);
  epoch();
  std::size_t written = 0;
  for (int n = 0; n < 10; ++n) {
    clock.time -= Seconds(2.7);
    epoch();
    written += cluster.written.size();
  }
  EXPECT_NEAR(static_cast<double>(written), 15, 2);  // five a second
}

TEST_F(StatusWriterTest, LetsNoJobWaitForeverHoweverOftenOthersChange) {
  addMany(40, "a");
  add("z");
  mayGoOn = [this] { return cluster.tried.size() < 15; };
  std::vector<std::string> all;
  for (int n = 0; n < 3; ++n) {
    epoch();
    change();
    all.insert(all.end(), cluster.written.begin(), cluster.written.end());
  }
  EXPECT_THAT(all, Contains("z"));
}

TEST_F(StatusWriterTest, SpendsLittleOnWhatIsRefused) {
  addMany(20, "a");
  for (const auto& view : views) cluster.refused[view.job.key.name] = ErrorKind::Invalid;
  add("z");
  epoch();
  EXPECT_THAT(writer.failures(), SizeIs(20));
  EXPECT_THAT(cluster.written, ElementsAre("z"));
  std::size_t tries = 0;
  for (int n = 0; n < 20; ++n) {
    epoch();
    tries += cluster.tried.size();
  }
  EXPECT_LT(tries, 20u * 5);
  EXPECT_GT(tries, 20u);
}

TEST_F(StatusWriterTest, StopsTryingInAnEpochWhenNobodyAnswers) {
  addMany(20, "a");
  for (const auto& view : views) cluster.refused[view.job.key.name] = ErrorKind::Transient;
  epoch();
  EXPECT_THAT(cluster.tried, SizeIs(kMostSilences));
  cluster.refused.clear();
  epoch();
  EXPECT_THAT(cluster.written, SizeIs(20));
}

TEST_F(StatusWriterTest, KnowsWhichEndsAreNotWritten) {
  add("a", JobState::Complete);
  cluster.refused["a"] = ErrorKind::Transient;
  epoch();
  EXPECT_FALSE(writer.isEndWritten({"default", "a"}));
  cluster.refused.clear();
  epoch();
  EXPECT_TRUE(writer.isEndWritten({"default", "a"}));
  EXPECT_THAT(cluster.events, Contains("a Complete"));
}

TEST_F(StatusWriterTest, ForgetsJobsThatAreGone) {
  add("a");
  cluster.refused["a"] = ErrorKind::Invalid;
  epoch();
  views.clear();
  statuses.clear();
  epoch();
  cluster.refused.clear();
  add("a");
  epoch();
  EXPECT_THAT(cluster.written, ElementsAre("a"));
}

TEST_F(StatusWriterTest, OneThatHangsDoesNotComeFirstAgain) {
  for (const char* name : {"slow", "good"}) add(name);
  cluster.refused["slow"] = ErrorKind::Transient;
  mayGoOn = [this] { return cluster.tried.empty(); };
  epoch();
  EXPECT_THAT(cluster.tried, ElementsAre("slow"));
  epoch();
  EXPECT_THAT(cluster.tried, ElementsAre("good"));
}

TEST_F(StatusWriterTest, OneThatHangsRestsWhereOthersAreAnswered) {
  for (const char* name : {"slow", "good"}) add(name);
  cluster.refused["slow"] = ErrorKind::Transient;
  std::ptrdiff_t tries = 0;
  for (int n = 0; n < 20; ++n) {
    epoch();
    change();
    EXPECT_THAT(cluster.written, ElementsAre("good"));
    tries += std::ranges::count(cluster.tried, "slow");
  }
  EXPECT_LT(tries, 8);
  EXPECT_GT(tries, 2);
}

TEST_F(StatusWriterTest, DriftsThatAreRefusedTakeNoOtherJobsTurn) {
  addMany(15, "a");  // as many as are written in an epoch
  add("z");
  epoch();
  for (auto& status : statuses) status.progress = Progress{.loss = Loss(1)};
  for (int n = 0; n < 15; ++n) cluster.refused["a" + std::to_string(n)] = ErrorKind::Invalid;
  clock.time += Seconds(60);
  std::vector<std::string> all;
  for (int n = 0; n < 3; ++n) {
    epoch();
    all.insert(all.end(), cluster.written.begin(), cluster.written.end());
  }
  EXPECT_THAT(all, ElementsAre("z"));
}

// Takes several statuses at a time, and answers the first of "late" only after one of another job.
class LateAnswer final : public Cluster {
 public:
  Result<ClusterView> observe() override { return ClusterView(); }
  std::size_t maxConcurrentWrites() const override { return 4; }
  Result<void> apply(const Action&) override { return {}; }
  Result<void> writeStatus(const JobKey& job, const std::string&, const JobStatus& status) override {
    if (job.name == "late" && status.state == JobState::Running) {
      lateBegan.count_down();
      lateGoesOn.wait();
    } else if (job.name == "other") {
      lateGoesOn.count_down();
      std::this_thread::sleep_for(std::chrono::milliseconds(20));  // likely the late one is answered by then
    }
    return {};
  }
  void record(const JobKey&, const Event&) override {}

  std::latch lateBegan{1};
  std::latch lateGoesOn{1};
};

// Such as thousands of actions, for which a job's news would have to wait.
TEST(StatusWriter, WritesOthersWhileTheLoopDoesSomethingElse) {
  LateAnswer cluster;
  const SystemClock clock;
  StatusWriter writer(cluster, clock);
  const std::deque<JobView> views = {viewOf("late")};
  const scheduler::Snapshot snapshot{.now = clock.now(), .jobs = {{&views[0], nullptr}}};
  std::vector<JobStatus> statuses = {views[0].status};
  statuses[0].state = JobState::Running;
  writer.beginObserving();
  writer.begin(snapshot, statuses, {.epoch = Seconds(3)});
  writer.writeEnds([] { return true; });
  writer.writeOthersAfter(Seconds(0.01));
  cluster.lateBegan.wait();
  cluster.lateGoesOn.count_down();
  writer.writeOthers([] { return true; });
}

// What is answered is the status of an epoch before: the next controller would start the job again.
TEST(StatusWriter, AnEndIsNotWrittenBecauseAnEarlierStatusWas) {
  LateAnswer cluster;
  const SystemClock clock;
  StatusWriter writer(cluster, clock);
  const std::deque<JobView> views = {viewOf("late"), viewOf("other")};
  scheduler::Snapshot snapshot{.now = clock.now(), .jobs = {{&views[0], nullptr}, {&views[1], nullptr}}};
  std::vector<JobStatus> statuses = {views[0].status, views[1].status};
  const auto always = [] { return true; };
  const auto epoch = [&] {
    writer.beginObserving();
    writer.begin(snapshot, statuses, {.epoch = Seconds(3)});
    writer.writeEnds(always);
  };
  statuses[0].state = JobState::Running;
  epoch();
  writer.writeOthers(always);
  cluster.lateBegan.wait();
  for (auto& status : statuses) {
    status.state = JobState::Complete;
    set(status.conditions, {.type = ConditionType::Complete, .status = Truth::True});
  }
  epoch();
  EXPECT_TRUE(writer.isEndWritten(views[1].job.key));
  EXPECT_FALSE(writer.isEndWritten(views[0].job.key));
  writer.writeOthers(always);
}

}  // namespace
}  // namespace slaq::loop
