#include "kube/cluster/store.h"

#include <gmock/gmock.h>

#include <utility>

#include "kube/support/jobs.h"

namespace slaq::kube::cluster {
namespace {

std::string childText(const std::string& uid, const std::string& version, int parallelism,
                      const std::string& owner = "uid-1") {
  return quoted("{'metadata':{'name':'logreg-workers','namespace':'team-a','uid':'" + uid +
                "','resourceVersion':'" + version +
                "','labels':{'slaq.io/role':'worker'},'ownerReferences':[" + "{'controller':true,'uid':'" +
                owner + "'}]},'spec':{'parallelism':" + std::to_string(parallelism) + "}}");
}

class StoreTest : public testing::Test {
 protected:
  void list(watch::ObjectSink& sink, const std::vector<std::string>& objects) {
    sink.beginList();
    for (const auto& each : objects) sink.upsert(parse(each));
    sink.endList("1000000");
  }

  int parallelism() {
    const auto child = store.child({"team-a", "logreg"}, "uid-1", objects::Role::Workers);
    return child ? child->parallelism.value() : -1;
  }

  int triggers = 0;
  Store store{{.triggerEpoch = [this] { ++triggers; }}};
};

TEST_F(StoreTest, IsSyncedWhenAllListsHaveCome) {
  EXPECT_FALSE(store.synced());
  list(store.trainingJobs(), {});
  EXPECT_FALSE(store.synced());
  list(store.childJobs(), {});
  EXPECT_FALSE(store.synced());
  list(store.pods(), {});
  EXPECT_TRUE(store.synced());
}

TEST_F(StoreTest, AListRemovesWhatItDoesNotHave) {
  list(store.trainingJobs(), {jobText()});
  EXPECT_TRUE(store.job({"team-a", "logreg"}));
  list(store.trainingJobs(), {});
  EXPECT_FALSE(store.job({"team-a", "logreg"}));
}

TEST_F(StoreTest, CountsWhatMayHaveFreedCores) {
  auto changed = [&, before = store.changes()]() mutable {
    return std::exchange(before, store.changes()) != store.changes();
  };
  list(store.trainingJobs(), {jobText()});
  EXPECT_FALSE(changed());
  store.updateChild(parse(childText("u", "105", 6)));
  EXPECT_TRUE(changed());
  store.childJobs().upsert(parse(childText("u", "99", 3)));  // known already
  EXPECT_FALSE(changed());
  list(store.childJobs(), {});
  EXPECT_TRUE(changed());
  EXPECT_FALSE(changed());
}

// Whoever takes the label by which it is watched off it makes it disappear, and it comes back with it.
TEST_F(StoreTest, AChildWhoseLabelWasTakenOffAndPutBackIsSeenAgain) {
  store.childJobs().upsert(parse(childText("u", "105", 6)));
  store.childJobs().remove(parse(childText("u", "106", 6)));
  EXPECT_EQ(parallelism(), -1);
  store.updateChild(parse(childText("u", "104", 5)));  // an answer that comes late
  EXPECT_EQ(parallelism(), -1);
  store.childJobs().upsert(parse(childText("u", "107", 4)));
  EXPECT_EQ(parallelism(), 4);
}

TEST_F(StoreTest, TakesNoStepBackToAnEchoOfThePast) {
  store.updateChild(parse(childText("u", "105", 6)));
  store.childJobs().upsert(parse(childText("u", "99", 3)));
  EXPECT_EQ(parallelism(), 6);
  store.childJobs().upsert(parse(childText("u", "106", 4)));
  EXPECT_EQ(parallelism(), 4);
}

TEST_F(StoreTest, BelievesAListWhateverItsVersions) {
  store.updateChild(parse(childText("u", "105", 6)));
  list(store.childJobs(), {childText("u", "7", 3)});  // the cluster was restored from a backup
  EXPECT_EQ(parallelism(), 3);
}

TEST_F(StoreTest, AnAnswerThatComesDuringAListIsNotLost) {
  store.childJobs().beginList();
  store.updateChild(parse(childText("u", "105", 6)));
  store.childJobs().endList("100");
  EXPECT_EQ(parallelism(), 6);
}

// A list of many pages shows what was there when its first one was made.
TEST_F(StoreTest, AListTakesNothingBackThatWasAnsweredMeanwhile) {
  store.updateChild(parse(childText("u", "99", 3)));
  store.childJobs().beginList();
  store.updateChild(parse(childText("u", "105", 6)));
  store.childJobs().upsert(parse(childText("u", "99", 3)));
  EXPECT_EQ(parallelism(), 6);
  store.childJobs().endList("100");
  EXPECT_EQ(parallelism(), 6);
}

TEST_F(StoreTest, AListIsBelievedThatIsNewerThanAnAnswerThatCameMeanwhile) {
  store.childJobs().beginList();
  store.updateChild(parse(childText("u", "105", 6)));
  store.childJobs().upsert(parse(childText("u", "107", 3)));
  EXPECT_EQ(parallelism(), 3);
  store.childJobs().endList("110");
  store.childJobs().beginList();
  store.updateChild(parse(childText("u", "115", 6)));
  store.childJobs().endList("120");  // deleted between
  EXPECT_EQ(parallelism(), -1);
}

TEST_F(StoreTest, KnowsWhenTheReadyPodsOfAJobChanged) {
  Time now;
  Store timed{{.now = [&] { return now; }}};
  list(timed.trainingJobs(), {jobText()});
  list(timed.childJobs(), {childText("u", "5", 1)});
  const auto podIs = [&](int second, const std::string& ns, const std::string& metadata,
                         const std::string& ready) {
    now = Time(Seconds(second));
    timed.pods().upsert(parse(quoted(
        "{'metadata':{'name':'w-0','namespace':'" + ns + "','uid':'p-" + ns + "','resourceVersion':'" +
        std::to_string(second) + "'," + metadata + "'ownerReferences':[{'controller':true,'uid':'u'}]}," +
        "'status':{'phase':'Running','conditions':[{'type':'Ready','status':'" + ready + "'}]}}")));
    const auto changed = timed.view(now).jobs.at(0).workers.readyChanged;
    return changed ? changed->time_since_epoch().count() : -1;
  };
  EXPECT_EQ(podIs(10, "team-a", "", "False"), -1);
  EXPECT_EQ(podIs(20, "team-a", "", "True"), 20);
  EXPECT_EQ(podIs(30, "team-a", "", "True"), 20);
  EXPECT_EQ(podIs(40, "team-b", "", "True"), 20) << "any pod may name that Job as its owner";
  EXPECT_EQ(podIs(50, "team-a", "'deletionTimestamp':'2026-01-02T03:04:05Z',", "True"), 50);
}

// A Job was told to have more pods, and then to have fewer. The pods that it created between may be seen
// later.
class PodsThatNobodyHasSeen : public StoreTest {
 protected:
  void SetUp() override {
    list(timed.trainingJobs(), {jobText()});
    list(timed.childJobs(), {childText("u", "5", 2)});
    for (const int index : {0, 1}) seen(index, "");
  }
  void seen(int index, const std::string& metadata) {
    timed.pods().upsert(parse(
        quoted("{'metadata':{'name':'w-" + std::to_string(index) + "','namespace':'team-a','uid':'p-" +
               std::to_string(index) + "','resourceVersion':'" + std::to_string(++version) + "'," + metadata +
               "'annotations':{'batch.kubernetes.io/job-completion-index':'" + std::to_string(index) +
               "'},'ownerReferences':[{'controller':true,'uid':'u'}]},'status':{'phase':'Running'}}")));
  }
  std::pair<int, int> activeAndTerminating() {
    const auto workers = timed.view(now).jobs.at(0).workers;
    return {workers.active.value(), workers.terminating.value()};
  }

  int version = 10;
  Time now{Seconds(1000)};
  Store timed{{.now = [&] { return now; }}};
};

TEST_F(PodsThatNobodyHasSeen, AreTerminatingOnceTheirJobIsToHaveFewer) {
  timed.updateChild(parse(childText("u", "20", 5)));
  EXPECT_EQ(activeAndTerminating(), std::pair(2, 0)) << "the growth itself says how many there may be";
  timed.updateChild(parse(childText("u", "21", 2)));
  EXPECT_EQ(activeAndTerminating(), std::pair(2, 3));
  seen(2, "");
  seen(3, "'deletionTimestamp':'2026-01-02T03:04:05Z',");
  EXPECT_EQ(activeAndTerminating(), std::pair(3, 2)) << "one is known, one is known to end, one may come";
  now += Seconds(5);
  EXPECT_EQ(activeAndTerminating(), std::pair(3, 1)) << "the last was never created";
}

TEST_F(PodsThatNobodyHasSeen, AreThoseOfSeveralShrinks) {
  timed.updateChild(parse(childText("u", "20", 5)));
  timed.updateChild(parse(childText("u", "21", 3)));
  timed.updateChild(parse(childText("u", "22", 2)));
  EXPECT_EQ(activeAndTerminating(), std::pair(2, 3));
}

TEST_F(PodsThatNobodyHasSeen, AreOfAnyIndexThatHasNoPodOrOneThatEnds) {
  seen(1, "'deletionTimestamp':'2026-01-02T03:04:05Z',");
  timed.updateChild(parse(childText("u", "20", 1)));
  EXPECT_EQ(activeAndTerminating(), std::pair(1, 2)) << "another pod of index 1 may have taken its place";
}

TEST_F(PodsThatNobodyHasSeen, AreNoneWhereAllWereSeen) {
  timed.updateChild(parse(childText("u", "20", 1)));
  EXPECT_EQ(activeAndTerminating(), std::pair(2, 0));
}

TEST_F(PodsThatNobodyHasSeen, AreNotCountedTwiceWhereTheJobCountsThem) {
  list(timed.pods(), {});
  auto counted = childText("u", "20", 2);
  counted.insert(counted.rfind('}'), quoted(",'status':{'active':2}"));
  timed.updateChild(parse(counted));
  counted.replace(counted.find("\"20\""), 4, "\"21\"").replace(counted.find(":2}"), 3, ":0}");
  timed.updateChild(parse(counted));
  EXPECT_EQ(activeAndTerminating(), std::pair(0, 2));
}

// Their deletions may be seen before the Job's counts.
TEST_F(PodsThatNobodyHasSeen, AreNotActiveAgainOnceTheLastOfThemIsGone) {
  auto counted = childText("u", "20", 2);
  counted.insert(counted.rfind('}'), quoted(",'status':{'active':2}"));
  timed.updateChild(parse(counted));
  counted.replace(counted.find("\"20\""), 4, "\"21\"")
      .replace(counted.find(":2}"), 3, ":2,\"suspend\":true}");
  timed.updateChild(parse(counted));
  for (const int index : {0, 1}) seen(index, "'deletionTimestamp':'2026-01-02T03:04:05Z',");
  EXPECT_EQ(activeAndTerminating(), std::pair(0, 2));
  list(timed.pods(), {});
  EXPECT_EQ(activeAndTerminating(), std::pair(0, 2));
}

TEST_F(PodsThatNobodyHasSeen, AreActiveUpToWhatTheirJobIsToHave) {
  list(timed.pods(), {});
  auto counted = childText("u", "20", 2);
  counted.insert(counted.rfind('}'), quoted(",'status':{'active':5}"));
  timed.updateChild(parse(counted));
  EXPECT_EQ(activeAndTerminating(), std::pair(2, 3));
}

// A watch that loses an event tells nothing of it later.
class PodsThatTheWatchMissed : public PodsThatNobodyHasSeen {
 protected:
  // The Job counts this number of its two known pods.
  void count(int active) {
    auto counted = childText("u", std::to_string(++jobVersion_), 2);
    counted.insert(counted.rfind('}'), quoted(",'status':{'active':" + std::to_string(active) + "}"));
    checked.updateChild(parse(counted));
  }
  void SetUp() override {
    list(checked.trainingJobs(), {jobText()});
    list(checked.childJobs(), {childText("u", "5", 2)});
    for (const int index : {0, 1}) {
      const std::string number = std::to_string(index);
      checked.pods().upsert(parse(quoted(
          "{'metadata':{'name':'w-" + number + "','namespace':'team-a','uid':'p-" + number +
          "','resourceVersion':'1','annotations':{'batch.kubernetes.io/job-completion-index':'" + number +
          "'},'ownerReferences':[{'controller':true,'uid':'u'}]},'status':{'phase':'Running'}}")));
    }
  }
  int listsAfter(double seconds) {
    now += Seconds(seconds);
    checked.view(now);
    return std::exchange(lists, 0);
  }

  int lists = 0;
  Store checked{{.now = [&] { return now; },
                 .monotonic = [&] { return now - Time(); },
                 .podsMissed = [&](Seconds) { ++lists; }}};

 private:
  int jobVersion_ = 100;
};

TEST_F(PodsThatTheWatchMissed, AreListedOnceTheirJobGoesOnToCountThemOtherwise) {
  count(2);
  EXPECT_EQ(listsAfter(0) + listsAfter(100), 0);
  count(1);
  EXPECT_EQ(listsAfter(0) + listsAfter(14), 0) << "the Job may be ahead of the watch";
  EXPECT_EQ(listsAfter(1), 1);
  EXPECT_EQ(listsAfter(100) + listsAfter(100), 0) << "the list has shown that they differ";
  count(0);
  EXPECT_EQ(listsAfter(0) + listsAfter(15), 1) << "they differ in another way";
  count(1);
  EXPECT_EQ(listsAfter(1) + listsAfter(58), 0) << "once a minute at most";
  EXPECT_EQ(listsAfter(1), 1);
}

TEST_F(PodsThatTheWatchMissed, AreNotListedWhileEitherChanges) {
  for (int i = 0; i < 10; ++i) {
    count(i % 2);
    EXPECT_EQ(listsAfter(10), 0);
  }
  count(2);
  EXPECT_EQ(listsAfter(20) + listsAfter(20), 0);
}

class ForeignResize : public testing::Test {
 protected:
  static objects::ChildJob child(int parallelism, const std::string& uid = "u") {
    return objects::readChild(parse(childText(uid, "105", parallelism)));
  }

  consistency::ForeignResizes foreign;
};

TEST_F(ForeignResize, IsOneThatWasNotWrittenHere) {
  const auto six = child(6), two = child(2);
  EXPECT_FALSE(foreign.noteChange(nullptr, &six));
  EXPECT_FALSE(foreign.noteChange(&six, &six));
  EXPECT_TRUE(foreign.noteChange(&six, &two));
}

TEST_F(ForeignResize, IsNotTheEchoOfAWriteThatIsUnderWay) {
  const auto six = child(6), two = objects::applied(six, {.suspended = {}, .count = Workers(2)});
  foreign.expect(six, {.suspended = {}, .count = Workers(2)});
  EXPECT_FALSE(foreign.noteChange(&six, &two));
  EXPECT_TRUE(foreign.noteChange(&two, &six));
}

TEST_F(ForeignResize, IsAlsoThatAJobIsSuspended) {
  const auto runs = child(6), rests = objects::applied(runs, {.suspended = true, .count = {}});
  EXPECT_TRUE(foreign.noteChange(&runs, &rests));
}

TEST_F(ForeignResize, IsNotThatAnotherJobHasTheName) {
  const auto six = child(6), next = child(2, "v"), smaller = child(1, "v");
  EXPECT_FALSE(foreign.noteChange(&six, &next)) << "another Job of that name is not a resize";
  EXPECT_TRUE(foreign.noteChange(&next, &smaller));
}

TEST_F(StoreTest, ALateAnswerDoesNotBringBackWhatWasDeleted) {
  store.updateChild(parse(childText("u", "105", 6)));
  store.childJobs().remove(parse(childText("u", "107", 6)));
  store.updateChild(parse(childText("u", "106", 5)));
  EXPECT_EQ(parallelism(), -1);
}

TEST_F(StoreTest, ALateDeletionDoesNotTakeTheNextIncarnation) {
  store.updateChild(parse(childText("new", "110", 6)));
  store.childJobs().remove(parse(childText("old", "107", 3)));
  EXPECT_EQ(parallelism(), 6);
}

TEST_F(StoreTest, ANewIncarnationReplacesTheOldEvenIfItsDeletionWasMissed) {
  store.updateChild(parse(childText("old", "105", 6)));
  store.childJobs().upsert(parse(childText("new", "108", 2)));
  EXPECT_EQ(parallelism(), 2);
}

// The same, of the driver or of workers without one.
std::string chiefsText(const std::string& version, const std::string& condition = "") {
  auto text = childText("u", version, 6);
  text.replace(text.find(quoted("'parallelism'")), 0, quoted("'successPolicy':{},"));
  if (condition.empty()) return text;
  const auto status =
      quoted(",'status':{'conditions':[{'type':'" + condition + "','status':'True','reason':'R'}]}}");
  return text.replace(text.size() - 1, 1, status);
}

class StoreEnds : public StoreTest, public testing::WithParamInterface<const char*> {};

TEST_P(StoreEnds, AreNewsOnce) {
  list(store.childJobs(), {chiefsText("105")});
  store.childJobs().upsert(parse(chiefsText("106")));
  EXPECT_EQ(triggers, 0);
  store.childJobs().upsert(parse(chiefsText("107", GetParam())));
  EXPECT_EQ(triggers, 1);
  store.childJobs().upsert(parse(chiefsText("108", GetParam())));
  list(store.childJobs(), {chiefsText("108", GetParam())});
  EXPECT_EQ(triggers, 1);
}

TEST_P(StoreEnds, AreNewsAlsoWhereAnAnswerTellsOfThem) {
  list(store.childJobs(), {chiefsText("105")});
  store.updateChild(parse(chiefsText("107", GetParam())));
  store.childJobs().upsert(parse(chiefsText("107", GetParam())));
  EXPECT_EQ(triggers, 1);
}

INSTANTIATE_TEST_SUITE_P(By, StoreEnds, testing::Values("Complete", "SuccessCriteriaMet", "Failed"));

// It is over when its driver is.
TEST_F(StoreTest, ThatWorkersAreDoneBesideADriverIsNoNews) {
  auto done = chiefsText("107", "Complete");
  const auto policy = quoted("'successPolicy':{},");
  list(store.childJobs(), {childText("u", "105", 6)});
  store.childJobs().upsert(parse(done.erase(done.find(policy), policy.size())));
  EXPECT_EQ(triggers, 0);
}

TEST_F(StoreTest, ChildrenBelongToTheUidThatControlsThem) {
  list(store.trainingJobs(), {jobText()});
  store.updateChild(parse(childText("u", "105", 6, "uid-0")));
  EXPECT_FALSE(store.view(Time()).jobs.at(0).workers.exists);
}

TEST_F(StoreTest, ViewsAreSpareOfTheTemplatesTexts) {
  list(store.trainingJobs(), {jobText()});
  EXPECT_EQ(store.view(Time()).jobs.at(0).job.spec.workers.pod.document, "");
  const auto whole = objects::wholeJob(*store.job({"team-a", "logreg"}));
  EXPECT_THAT(whole.spec.workers.pod.document, testing::HasSubstr("nodeSelector"));
  EXPECT_THAT(whole.spec.driver->document, testing::HasSubstr("trainer:1"));
}

TEST_F(StoreTest, TellsOfEachTrainingJobThatWasNotKnown) {
  list(store.trainingJobs(), {jobText()});
  EXPECT_EQ(triggers, 1);
  list(store.trainingJobs(), {jobText()});
  store.trainingJobs().upsert(parse(jobText()));
  list(store.childJobs(), {childText("u", "1", 1)});
  store.trainingJobs().remove(parse(jobText()));
  store.trainingJobs().upsert(parse(jobText()));  // an echo of the one that is gone
  EXPECT_EQ(triggers, 1);
  std::string another = jobText();
  another.replace(another.find("uid-1"), 5, "uid-2");
  store.trainingJobs().upsert(parse(another));
  EXPECT_EQ(triggers, 2);
}

TEST(ResourceVersions, AreComparedAsNumbersOrNotAtAll) {
  EXPECT_TRUE(watch::olderVersion("99", "105"));
  EXPECT_FALSE(watch::olderVersion("105", "99"));
  EXPECT_FALSE(watch::olderVersion("105", "105"));
  EXPECT_FALSE(watch::olderVersion("abc", "99"));
  EXPECT_FALSE(watch::olderVersion("", "99"));
}

}  // namespace
}  // namespace slaq::kube::cluster
