#include "loop/write/action_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <barrier>
#include <deque>
#include <map>
#include <mutex>
#include <set>

#include "support/fake_world.h"

namespace slaq::loop {
namespace {

using slaq::testing::kEpoch;
using slaq::testing::viewOf;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// A cluster that answers some jobs' actions with an error, after some time.
class Answers final : public Cluster, public Clock {
 public:
  Result<ClusterView> observe() override { return ClusterView(); }
  Result<void> apply(const Action& action) override {
    const std::string name = jobOf(action).name;
    tried.push_back(name);
    const auto found = failures.find(name);
    if (found == failures.end()) return {};
    time += took;
    return failure(found->second, "no");
  }
  Result<void> writeStatus(const JobKey&, const std::string&, const JobStatus&) override { return {}; }
  void record(const JobKey& job, const Event& event) override { told.push_back({job.name, event}); }

  Time now() const override { return Time(time); }
  Seconds monotonic() const override { return time; }

  Seconds time{1000};
  Seconds took{0};
  std::map<std::string, ErrorKind> failures;
  std::vector<std::string> tried;
  std::vector<std::pair<std::string, Event>> told;
};

// Jobs of which each is started in each epoch.
class ActionWriterTest : public ::testing::Test {
 protected:
  void add(const std::string& name) { views.push_back(viewOf(name)); }

  // Of which jobs the actions were tried.
  std::vector<std::string> epoch() {
    scheduler::Snapshot snapshot{.now = cluster.now(), .jobs = {}};
    scheduler::Plan plan;
    for (const auto& view : views) {
      snapshot.jobs.push_back({&view, nullptr});
      plan.jobs.push_back({.job = view.job.key});
      plan.actions.emplace_back(StartJob{view.job.key, Workers(1)});
    }
    cluster.tried.clear();
    writer.apply(snapshot, plan, statuses, kEpoch, mayGoOn);
    cluster.time += kEpoch;
    return cluster.tried;
  }

  Answers cluster;
  std::deque<JobView> views;
  StatusWriter statuses{cluster, cluster};
  ActionWriter writer{cluster, cluster};
  std::function<bool()> mayGoOn = [] { return true; };
};

TEST_F(ActionWriterTest, JobsThatFailComeLastAndEverMoreSeldom) {
  for (const char* name : {"bad", "good"}) add(name);
  cluster.failures["bad"] = ErrorKind::Invalid;
  EXPECT_THAT(epoch(), ElementsAre("bad", "good"));
  EXPECT_THAT(epoch(), ElementsAre("good", "bad"));
  EXPECT_THAT(epoch(), ElementsAre("good"));
  EXPECT_THAT(epoch(), ElementsAre("good", "bad"));
  int tries = 0;
  for (int i = 0; i < 200; ++i) tries += static_cast<int>(epoch().size()) - 1;
  EXPECT_NEAR(tries, 200 * 3 / 60, 3);  // once a minute
  cluster.failures.clear();
  while (epoch().size() < 2) continue;
  EXPECT_THAT(epoch(), ElementsAre("bad", "good"));
}

TEST_F(ActionWriterTest, WhatTakesLongTwiceIsTriedInATenthOfTheTime) {
  for (const char* name : {"slow", "good"}) add(name);
  cluster.failures["slow"] = ErrorKind::Transient;
  cluster.took = Seconds(20);
  EXPECT_THAT(epoch(), ElementsAre("slow", "good"));
  EXPECT_THAT(epoch(), ElementsAre("good", "slow"));
  for (int i = 0; i < 66; ++i) EXPECT_THAT(epoch(), ElementsAre("good")) << i;
  EXPECT_THAT(epoch(), ElementsAre("good", "slow"));
}

TEST_F(ActionWriterTest, WhatHangsUntilTheTimeIsOverDoesNotComeFirstAgain) {
  for (const char* name : {"slow", "good"}) add(name);
  cluster.failures["slow"] = ErrorKind::Transient;
  cluster.took = Seconds(20);
  mayGoOn = [this] { return cluster.tried.empty(); };
  EXPECT_THAT(epoch(), ElementsAre("slow"));
  EXPECT_THAT(epoch(), ElementsAre("good"));
}

TEST_F(ActionWriterTest, AJobThatWasEditedIsTriedAtOnce) {
  add("bad");
  cluster.failures["bad"] = ErrorKind::Invalid;
  for (int i = 0; i < 20; ++i) epoch();
  EXPECT_THAT(epoch(), IsEmpty());
  ++views.front().job.generation;
  EXPECT_THAT(epoch(), ElementsAre("bad"));
}

TEST_F(ActionWriterTest, AShortOutageIsHeldAgainstNoJob) {
  for (const char* name : {"a", "b"}) {
    add(name);
    cluster.failures[name] = ErrorKind::Transient;
  }
  for (int i = 0; i < 5; ++i) EXPECT_THAT(epoch(), ElementsAre("a", "b")) << i;
}

// Such as one whose creation hangs in an admission webhook, while nobody else needs anything.
TEST_F(ActionWriterTest, SilenceThatLastsIsHeldAgainstTheJob) {
  add("a");
  cluster.failures["a"] = ErrorKind::Transient;
  cluster.took = Seconds(5);
  int tries = 0;
  for (int i = 0; i < 100; ++i) tries += static_cast<int>(epoch().size());
  EXPECT_LE(tries, 15) << "of 100 epochs";
  cluster.failures.clear();
  for (int i = 0; i < 200 && epoch().empty();) ++i;
  EXPECT_THAT(epoch(), ElementsAre("a")) << "it was answered, and nothing is held against it any more";
}

TEST_F(ActionWriterTest, AConflictIsHeldAgainstNoJob) {
  for (const char* name : {"a", "b"}) add(name);
  cluster.failures["a"] = ErrorKind::Conflict;
  for (int i = 0; i < 5; ++i) EXPECT_THAT(epoch(), ElementsAre("a", "b")) << i;
}

TEST_F(ActionWriterTest, StopsBetweenTwoActionsWhenItIsTold) {
  for (const char* name : {"a", "b", "c"}) add(name);
  mayGoOn = [this] { return cluster.tried.size() < 2; };
  EXPECT_THAT(epoch(), ElementsAre("a", "b"));
  mayGoOn = [] { return false; };
  EXPECT_THAT(epoch(), IsEmpty());
}

// Takes four writes at a time, and answers none before four have come.
class FourAtATime final : public Cluster {
 public:
  Result<ClusterView> observe() override { return ClusterView(); }
  std::size_t maxConcurrentWrites() const override { return 4; }
  Result<void> apply(const Action& action) override {
    {
      const std::lock_guard lock(mutex_);
      const std::string& name = jobOf(action).name;
      EXPECT_TRUE(underWay_.insert(name).second) << "two writes of " << name << " at the same time";
      kinds[name].push_back(action.index());
    }
    allCame_.arrive_and_wait();
    const std::lock_guard lock(mutex_);
    underWay_.erase(jobOf(action).name);
    return {};
  }
  Result<void> writeStatus(const JobKey&, const std::string&, const JobStatus&) override { return {}; }
  void record(const JobKey&, const Event&) override {}

  std::map<std::string, std::vector<std::size_t>> kinds;  // of the actions of each job, as they came

 private:
  std::mutex mutex_;
  std::set<std::string> underWay_;
  std::barrier<> allCame_{4};
};

TEST_F(ActionWriterTest, JobsAreChangedAtTheSameTimeAndEachOneStepAfterTheOther) {
  FourAtATime together;
  StatusWriter writtenStatuses(together, cluster);
  ActionWriter concurrent(together, cluster);
  for (const char* name : {"a", "b", "c", "d"}) add(name);
  scheduler::Snapshot snapshot{.now = cluster.now(), .jobs = {}};
  scheduler::Plan plan;
  for (const auto& view : views) {
    snapshot.jobs.push_back({&view, nullptr});
    plan.jobs.push_back({.job = view.job.key});
    plan.actions.emplace_back(ScaleCpu{view.job.key, Cores(1), Cores(0.5)});
    plan.actions.emplace_back(ScaleWorkers{view.job.key, Workers(3), Workers(2)});
  }
  const auto results = concurrent.apply(snapshot, plan, writtenStatuses, kEpoch, mayGoOn);
  EXPECT_EQ(results.size(), 8U);
  const auto inOrder = ElementsAre(Action(ScaleCpu{}).index(), Action(ScaleWorkers{}).index());
  for (const auto& [name, kinds] : together.kinds) EXPECT_THAT(kinds, inOrder) << name;
}

// A job whose workers' Job others edit too.
class EditedJobTest : public ActionWriterTest {
 protected:
  EditedJobTest() {
    add("a");
    auto& workers = views.front().workers;
    workers = {.exists = true, .desired = Workers(2)};
  }

  void scaleTo(int count) {
    apply({ScaleWorkers{views.front().job.key, views.front().workers.desired, Workers(count)}});
    if (cluster.failures.empty()) views.front().workers.desired = Workers(count);
  }
  void apply(std::vector<Action> actions) {
    const JobView& view = views.front();
    scheduler::Snapshot snapshot{.now = cluster.now(), .jobs = {{&view, nullptr}}};
    scheduler::Plan plan;
    plan.jobs.push_back({.job = view.job.key});
    plan.actions = std::move(actions);
    writer.apply(snapshot, plan, statuses, kEpoch, mayGoOn);
    cluster.time += kEpoch;
  }

  // Of all that was told, the edits.
  std::vector<std::string> edits() const {
    std::vector<std::string> out;
    for (const auto& [job, event] : cluster.told)
      if (event.reason == "EditedElsewhere") out.push_back(event.message);
    return out;
  }
};

TEST_F(EditedJobTest, IsToldOnceWhatWasEditedAndWhatToDoInstead) {
  scaleTo(3);
  apply({});
  EXPECT_THAT(edits(), IsEmpty());
  views.front().workers.desired = Workers(5);
  apply({});
  apply({});
  EXPECT_THAT(edits(), ElementsAre(::testing::AllOf(::testing::HasSubstr("set the workers' Job to 5 workers"),
                                                    ::testing::HasSubstr("had asked for 3"),
                                                    ::testing::HasSubstr("maxReplicas"))));
  scaleTo(3);
  views.front().workers.suspended = true;
  apply({});
  EXPECT_THAT(edits(), ElementsAre(::testing::_, ::testing::HasSubstr("suspended the workers' Job")));
}

TEST_F(EditedJobTest, NamesTheObjectThatTheJobNamesAndIsSilentOnceItIsLeftAlone) {
  views.front().job.spec.workers.target = TargetRef{"apps/v1", "Deployment", "train"};
  scaleTo(3);
  views.front().workers.desired = Workers(5);
  apply({});
  EXPECT_THAT(edits(), ElementsAre(::testing::HasSubstr("set Deployment train to 5 workers")));
  scaleTo(3);
  views.front().workers.desired = Workers(5);
  views.front().refusal = "somebody sizes it too";
  apply({});
  EXPECT_EQ(edits().size(), 1u);
}

TEST_F(EditedJobTest, WhatSlaqDidItselfIsNoEdit) {
  scaleTo(3);
  apply({SuspendJob{views.front().job.key}});
  views.front().workers.suspended = true;
  apply({});
  apply({StartJob{views.front().job.key, Workers(2)}});
  views.front().workers = {.exists = true, .desired = Workers(2)};
  apply({});
  views.front().workers.succeeded = true;
  apply({});
  EXPECT_THAT(edits(), IsEmpty());
}

TEST_F(EditedJobTest, IsToldOfAJobInAQueueToo) {
  scaleTo(3);
  apply({RequestQuota{.job = views.front().job.key, .workers = Workers(3)}});
  views.front().workers.desired = Workers(5);
  apply({});
  EXPECT_THAT(edits(), ElementsAre(::testing::HasSubstr("to 5 workers")));
}

TEST_F(EditedJobTest, WhatMayHaveBeenDoneWithoutAnAnswerIsNoEdit) {
  scaleTo(3);
  cluster.failures["a"] = ErrorKind::Transient;
  scaleTo(5);
  views.front().workers.desired = Workers(5);
  apply({});
  EXPECT_THAT(edits(), IsEmpty());
}

TEST_F(EditedJobTest, AnEditThatAWriteRanIntoIsTold) {
  scaleTo(3);
  cluster.failures["a"] = ErrorKind::Conflict;
  scaleTo(4);
  views.front().workers.desired = Workers(1);
  apply({});
  EXPECT_THAT(edits(), ElementsAre(::testing::HasSubstr("to 1 worker,")));
}

TEST_F(EditedJobTest, AJobMadeAgainUnderTheNameHasNoEdits) {
  scaleTo(3);
  views.front().job.uid = "another";
  views.front().workers.desired = Workers(1);
  apply({});
  EXPECT_THAT(edits(), IsEmpty());
}

}  // namespace
}  // namespace slaq::loop
