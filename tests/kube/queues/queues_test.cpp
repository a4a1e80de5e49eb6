#include "kube/queues/queues.h"

#include <gmock/gmock.h>

#include "kube/queues/slices.h"
#include "kube/support/fake_server.h"
#include "kube/support/jobs.h"
#include "kube/support/manual_clock.h"

namespace slaq::kube::queues {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Optional;
using testing::StartsWith;

constexpr const char* kWorkloads = "/apis/kueue.x-k8s.io/v1beta2/namespaces/team-a/workloads";

std::string path(int number) {
  return std::string(kWorkloads) + "/trainingjob-logreg-uid-1-" + std::to_string(number);
}

// The queue "q" leads to a ClusterQueue of 10 cores on nodes of the pool "a". The driver requests a core,
// each worker half a core.
class QueuesTest : public testing::Test {
 protected:
  QueuesTest() {
    job.queue = "q";
    list(1, {"{'metadata':{'name':'c','uid':'c'},'spec':{'resourceGroups':[{'coveredResources':['cpu'],"
             "'flavors':[{'name':'f','resources':[{'name':'cpu','nominalQuota':'10'}]}]}]}}"});
    list(2, {});
    list(3, {"{'metadata':{'name':'q','namespace':'team-a','uid':'q'},'spec':{'clusterQueue':'c'}}"});
    list(4,
         {"{'metadata':{'name':'f','uid':'f'},'spec':{'nodeLabels':{'pool':'a'},'tolerations':[{'key':'gpu',"
          "'operator':'Exists'}]}}"});
    list(0, {});
  }

  void list(std::size_t kind, const std::vector<std::string>& objects) {
    auto& sink = *queues.watched()[kind].sink;
    sink.beginList();
    for (const auto& each : objects) sink.upsert(jsonOf(each));
    sink.endList("1000000");
  }

  // Shows the server's Workloads, as the watch does.
  void watch() {
    auto& sink = *queues.watched()[0].sink;
    sink.beginList();
    http::HttpRequest request;
    request.path = std::string(kWorkloads) + "?limit=500";
    const auto page = parse(server.send(request)->body);
    for (const auto& item : page["items"].GetArray()) sink.upsert(item);
    sink.endList("1000000");
  }

  QueueView look() {
    watch();
    ClusterView view;
    view.time = clock.now();
    view.jobs.emplace_back();
    view.jobs[0].job = job;
    view.jobs[0].workers = workers;
    queues.describe(view);
    refusal = view.jobs[0].refusal;
    quotas = view.queueQuotas;
    return view.jobs[0].queue.value_or(QueueView{});
  }

  Result<void> request(int count, bool podsReady = false, JobState state = JobState::Running) {
    return request({job.key, Workers(count), podsReady}, state);
  }

  Result<void> request(const RequestQuota& asked, JobState state = JobState::Running) {
    const auto done = queues.request(api, job, asked, state, "");
    server.takeRequests();
    return done;
  }

  Result<void> boost(int count, int boost) { return request({job.key, Workers(count), false, boost}); }

  // As the server has it; empty if it has none.
  std::string boostOf(int number) {
    return json::stringAt(stored(number), {"metadata", "annotations", kPriorityBoostAnnotation});
  }

  // Changes a Workload as Kueue does.
  void kueue(int number, const std::string& patch) {
    http::HttpRequest write;
    write.method = "PATCH";
    write.path = path(number) + "/status";
    write.body = quoted(patch);
    ASSERT_EQ(server.send(write)->status, 200);
    server.takeRequests();
  }

  static std::string condition(const char* type, bool isTrue, const char* message = "") {
    return std::string("{'type':'") + type + "','status':'" + (isTrue ? "True" : "False") + "','message':'" +
           message + "'}";
  }

  void admit(int number, int count) {
    const auto set = [](const char* name, int pods, const char* use) {
      return std::string("{'name':'") + name + "','count':" + std::to_string(pods) +
             ",'flavors':{'cpu':'f'},'resourceUsage':{'cpu':'" + use + "'}}";
    };
    kueue(number, "{'status':{'admission':{'clusterQueue':'c','podSetAssignments':[" + set("driver", 1, "1") +
                      "," + set("workers", count, (std::to_string(500 * count) + "m").c_str()) +
                      "]},'conditions':[" + condition("QuotaReserved", true) + "," +
                      condition("Admitted", true) + "]}}");
  }

  // A growth from two to four workers takes the place of the job's first Workload. Kueue has reserved quota
  // for it, and its admission checks go on.
  void growUntilChecks(const std::string& moreConditions = "") {
    ASSERT_TRUE(request(2));
    admit(1, 2);
    look();
    ASSERT_TRUE(request(4));
    kueue(1, "{'status':{'conditions':[" + condition("Finished", true) + "]}}");
    admit(2, 4);
    kueue(2, "{'status':{'conditions':[" + condition("QuotaReserved", true) + moreConditions + "]}}");
  }

  // A Workload of four cores that somebody else has put into the queue.
  void putWaiting() {
    server.put(
        std::string(kWorkloads) + "/waits",
        quoted(
            "{'metadata':{'name':'waits','namespace':'team-a','uid':'w'},'spec':{'queueName':'q','podSets':["
            "{'name':'main','count':1,'template':{'spec':{'containers':[{'name':'a','resources':{"
            "'requests':{'cpu':'4'}}}]}}}]}}"));
  }

  rapidjson::Document stored(int number) { return parse(server.at(path(number))); }

  FakeServer server;
  ManualClock clock;
  client::Api api{server};
  TrainingJob job = trainingJob();
  WorkersView workers;
  int epochs = 0;
  Queues queues{"cpu", true, clock, [this] { ++epochs; }};
  std::optional<std::string> refusal;
  std::vector<QueueQuotaView> quotas;
};

TEST_F(QueuesTest, AJobEntersItsQueueWithItsDriverAndItsMinimum) {
  EXPECT_THAT(look().message, HasSubstr("enters the queue q of Kueue"));
  ASSERT_TRUE(request(2));
  const auto made = stored(1);
  EXPECT_STREQ(made["spec"]["queueName"].GetString(), "q");
  EXPECT_STREQ(made["metadata"]["ownerReferences"][0]["uid"].GetString(), kUid);
  EXPECT_STREQ(made["metadata"]["annotations"][kElasticAnnotation].GetString(), "true");
  const auto& sets = made["spec"]["podSets"];
  ASSERT_EQ(sets.Size(), 2U);
  EXPECT_EQ(sets[0]["count"].GetInt(), 1);
  EXPECT_EQ(sets[1]["count"].GetInt(), 2);
  EXPECT_STREQ(sets[1]["template"]["spec"]["containers"][0]["image"].GetString(), "trainer:1");
  const auto queue = look();
  EXPECT_EQ(queue.asked, Workers(2));
  EXPECT_EQ(queue.admitted, Workers(0));
}

TEST_F(QueuesTest, SayWhyNothingIsAdmitted) {
  ASSERT_TRUE(request(2));
  kueue(1, "{'status':{'conditions':[" + condition("QuotaReserved", false, "no cpu") + "]}}");
  EXPECT_EQ(look().message, "waits in the queue q of Kueue: no cpu");
  kueue(1, "{'spec':{'active':false}}");
  EXPECT_THAT(look().message, HasSubstr("which has deactivated its Workload trainingjob-logreg-uid-1-1"));
  kueue(1, "{'status':{'admission':{'clusterQueue':'c'}}}");
  EXPECT_EQ(look().message, "waits for the admission checks of the queue q of Kueue");
}

TEST_F(QueuesTest, TellWhatIsAdmittedAndHowMuchIsLeft) {
  ASSERT_TRUE(request(2));
  look();
  admit(1, 2);
  const auto queue = look();
  EXPECT_EQ(queue.admitted, Workers(2));
  EXPECT_EQ(queue.most, Workers(18));
  EXPECT_EQ(queue.quota, "the ClusterQueue c, flavor f");
  ASSERT_EQ(quotas.size(), 1U);
  EXPECT_EQ(quotas[0].cores, Cores(10000));
  EXPECT_EQ(epochs, 1);
}

TEST_F(QueuesTest, AGrowthIsAWorkloadThatReplacesTheOther) {
  ASSERT_TRUE(request(2));
  admit(1, 2);
  look();
  ASSERT_TRUE(request(4));
  const auto made = stored(2);
  EXPECT_STREQ(made["metadata"]["annotations"][kReplacesAnnotation].GetString(),
               "team-a/trainingjob-logreg-uid-1-1");
  EXPECT_STREQ(made["metadata"]["annotations"][kFirstSliceAnnotation].GetString(),
               "trainingjob-logreg-uid-1-1");
  auto queue = look();
  EXPECT_EQ(queue.asked, Workers(4));
  EXPECT_EQ(queue.admitted, Workers(2));
  ASSERT_TRUE(request(6));
  EXPECT_EQ(stored(2)["spec"]["podSets"][1]["count"].GetInt(), 6);
  admit(2, 6);
  kueue(1, "{'status':{'conditions':[" + condition("Finished", true) + "]}}");
  queue = look();
  EXPECT_EQ(queue.admitted, Workers(6));
  EXPECT_EQ(queue.asked, Workers(6));
  ASSERT_TRUE(request(8));
  EXPECT_FALSE(server.has(path(1)));
  EXPECT_STREQ(stored(3)["metadata"]["annotations"][kFirstSliceAnnotation].GetString(),
               "trainingjob-logreg-uid-1-1");
}

TEST_F(QueuesTest, AGrowthThatIsNotAdmittedEndsAndPauses) {
  ASSERT_TRUE(request(2));
  admit(1, 2);
  look();
  ASSERT_TRUE(request(4));
  EXPECT_EQ(look().most, Workers(18));
  clock.advance(Seconds(11));
  EXPECT_EQ(look().most, Workers(2));
  ASSERT_TRUE(request(2));
  EXPECT_FALSE(server.has(path(2)));
  EXPECT_EQ(look().most, Workers(2));
  clock.advance(Seconds(31));
  EXPECT_EQ(look().most, Workers(18));
  ASSERT_TRUE(request(4));
  look();
  clock.advance(Seconds(11));
  look();
  ASSERT_TRUE(request(2));
  clock.advance(Seconds(31));
  EXPECT_EQ(look().most, Workers(2)) << "the second pause is longer";
}

TEST_F(QueuesTest, AShrinkLowersTheWorkload) {
  ASSERT_TRUE(request(2));
  admit(1, 4);
  kueue(1, "{'spec':{'podSets':[{'name':'driver','count':1},{'name':'workers','count':4}]}}");
  look();
  ASSERT_TRUE(request(3));
  EXPECT_EQ(stored(1)["spec"]["podSets"][1]["count"].GetInt(), 3);
  EXPECT_EQ(look().admitted, Workers(3));
  EXPECT_EQ(look().most, Workers(18));  // it uses 1 + 4 * 3/4 * .5 cores
}

TEST_F(QueuesTest, AnEvictedJobGivesItsQuotaBackAndStaysInTheQueue) {
  ASSERT_TRUE(request(2));
  admit(1, 2);
  look();
  kueue(1, "{'status':{'conditions':[" + condition("QuotaReserved", true) + "," +
               condition("Admitted", true) + "," + condition("Evicted", true, "Preempted") + "]}}");
  EXPECT_TRUE(look().evicted);
  EXPECT_EQ(look().message, "the queue q of Kueue evicted it: Preempted");
  ASSERT_TRUE(request(0));
  EXPECT_FALSE(stored(1)["status"].HasMember("admission"));
  const auto queue = look();
  EXPECT_FALSE(queue.evicted);
  EXPECT_EQ(queue.admitted, Workers(0));
  EXPECT_EQ(queue.asked, Workers(2));
  EXPECT_EQ(stored(1)["status"]["conditions"].Size(), 4U);
}

TEST_F(QueuesTest, OnlyAPreemptedJobIsQueuedAgainAtOnce) {
  for (const char* reason : {"Preempted", "PodsReadyTimeout"}) {
    server.erase(path(1));
    look();
    ASSERT_TRUE(request(2));
    admit(1, 2);
    kueue(1, std::string("{'status':{'conditions':[") + condition("Admitted", true) +
                 ",{'type':'Evicted','status':'True','message':'m','reason':'" + reason + "'}]}}");
    look();
    ASSERT_TRUE(request(0));
    const auto made = stored(1);
    const auto& last = made["status"]["conditions"][3];
    EXPECT_STREQ(last["type"].GetString(), "Requeued");
    EXPECT_STREQ(last["status"].GetString(), reason == std::string("Preempted") ? "True" : "False");
  }
}

TEST_F(QueuesTest, TheCostOfAnEvictionRaisesThePriorityOfWhatIsAdmitted) {
  ASSERT_TRUE(request(2));
  admit(1, 2);
  EXPECT_EQ(look().priorityBoost, 0);
  ASSERT_TRUE(boost(2, 7));
  EXPECT_EQ(boostOf(1), "7");
  EXPECT_EQ(look().priorityBoost, 7);
  ASSERT_TRUE(request(4));
  EXPECT_EQ(boostOf(1), "7") << "nothing was said of it";
  EXPECT_EQ(boostOf(2), "") << "a growth would evict others of the same priority";
  ASSERT_TRUE(boost(2, 0));
  EXPECT_FALSE(stored(1)["metadata"]["annotations"].HasMember(kPriorityBoostAnnotation));
  EXPECT_STREQ(stored(1)["metadata"]["annotations"][kElasticAnnotation].GetString(), "true");
}

TEST_F(QueuesTest, AnEvictedJobLosesItsBoostBeforeItIsQueuedAgain) {
  ASSERT_TRUE(request(2));
  admit(1, 2);
  look();
  ASSERT_TRUE(boost(2, 7));
  kueue(1, "{'status':{'conditions':[" + condition("Admitted", true) + "," +
               condition("Evicted", true, "Preempted") + "]}}");
  EXPECT_TRUE(look().evicted);
  ASSERT_TRUE(queues.request(api, job, {job.key, Workers(0), false, 0}, JobState::Running, ""));
  EXPECT_THAT(server.takeWrites(), ElementsAre(StartsWith("PATCH " + path(1) + " {"),
                                               StartsWith("PATCH " + path(1) + "/status {")));
  EXPECT_EQ(look().priorityBoost, 0);
}

// Kueue has not seen the change of a growth yet when it admits that growth.
TEST_F(QueuesTest, OnlyWhatKueueReservedIsAdmitted) {
  ASSERT_TRUE(request(2));
  admit(1, 2);
  look();
  ASSERT_TRUE(request(4));
  look();
  ASSERT_TRUE(request(6));
  kueue(1, "{'status':{'conditions':[" + condition("Finished", true) + "]}}");
  admit(2, 4);
  EXPECT_EQ(stored(2)["spec"]["podSets"][1]["count"].GetInt(), 6);
  EXPECT_EQ(look().admitted, Workers(4));
  EXPECT_EQ(look().asked, Workers(4));
  ASSERT_TRUE(request(6));
  EXPECT_EQ(stored(3)["spec"]["podSets"][1]["count"].GetInt(), 6);
}

// Kueue ends the smaller Workload once the larger one has quota, before that is admitted.
TEST_F(QueuesTest, AJobKeepsItsWorkersWhileAGrowthWaitsForItsChecks) {
  growUntilChecks();
  workers = {.exists = true, .desired = Workers(2), .ready = Workers(2)};
  auto queue = look();
  EXPECT_EQ(queue.admitted, Workers(2));
  EXPECT_EQ(queue.asked, Workers(4));
  EXPECT_EQ(queue.most, Workers(4));
  kueue(2, "{'status':{'conditions':[" + condition("Admitted", true) + "]}}");
  EXPECT_EQ(look().admitted, Workers(4));
}

// As by an admission check. Kueue would queue the larger size again, or never.
TEST_F(QueuesTest, AGrowthThatIsEvictedBeforeItIsAdmittedLeavesTheMinimumToEnterAgain) {
  growUntilChecks("," + condition("Evicted", true, "rejected"));
  EXPECT_TRUE(look().evicted);
  ASSERT_TRUE(request(0));
  EXPECT_FALSE(server.has(path(2)));
  EXPECT_EQ(look().asked, Workers(0));
  ASSERT_TRUE(request(2));
  admit(1, 2);
  EXPECT_EQ(look().most, Workers(2)) << "the pause after a growth in vain";
  clock.advance(Seconds(31));
  EXPECT_EQ(look().most, Workers(18));
}

TEST_F(QueuesTest, AGrowthThatKueueAdmitsMeanwhileIsNotDeleted) {
  ASSERT_TRUE(request(2));
  admit(1, 2);
  look();
  ASSERT_TRUE(request(4));
  look();
  server.before = [this](const http::HttpRequest& sent) -> std::optional<Result<http::HttpResponse>> {
    if (sent.method != "DELETE") return std::nullopt;
    EXPECT_THAT(sent.body, HasSubstr("resourceVersion"));
    return kube::refusal(409, "Conflict", "the object has been modified");
  };
  EXPECT_EQ(request(2).error().kind, ErrorKind::Conflict);
}

TEST_F(QueuesTest, AFinishedWorkloadIsFollowedByANewOne) {
  ASSERT_TRUE(request(2));
  kueue(1, "{'status':{'conditions':[" + condition("Finished", true) + "]}}");
  EXPECT_EQ(look().asked, Workers(0));
  ASSERT_TRUE(request(2));
  EXPECT_FALSE(server.has(path(1)));
  EXPECT_TRUE(server.has(path(2)));
}

TEST_F(QueuesTest, AnotherLabelLeadsIntoAnotherQueueOnceTheJobHasNoQuota) {
  ASSERT_TRUE(request(2));
  job.queue = "other";
  EXPECT_EQ(look().asked, Workers(0));
  ASSERT_TRUE(request(2));
  EXPECT_FALSE(server.has(path(1)));
  look();
  ASSERT_TRUE(request(2));
  EXPECT_STREQ(stored(1)["spec"]["queueName"].GetString(), "other");
  admit(1, 2);
  job.queue = "q";
  EXPECT_EQ(look().admitted, Workers(2));
  ASSERT_TRUE(request(4));
  EXPECT_STREQ(stored(2)["spec"]["queueName"].GetString(), "other");
}

TEST_F(QueuesTest, AJobWhoseLabelIsRemovedLeavesTheQueue) {
  ASSERT_TRUE(request(2));
  admit(1, 2);
  job.queue.clear();
  EXPECT_TRUE(look().left);
  ASSERT_TRUE(request(0));
  EXPECT_FALSE(server.has(path(1)));
  EXPECT_FALSE(look().left);
}

// It would need memory, for example.
TEST_F(QueuesTest, NoRoomIsMadeAgainAtOnceForAWorkloadThatDoesNotComeThen) {
  ASSERT_TRUE(request(2));
  admit(1, 2);
  putWaiting();
  EXPECT_EQ(look().most, Workers(10));  // 10 - 2 - 4 cores
  clock.advance(Seconds(6));
  look();
  EXPECT_EQ(look().most, Workers(18));
  clock.advance(Seconds(61));
  EXPECT_EQ(look().most, Workers(10));
}

// It selects other nodes than those of the first flavor.
TEST_F(QueuesTest, RoomIsMadeInTheNextFlavorForAWorkloadThatDoesNotComeIntoTheFirst) {
  const auto quota = [](const char* flavor) {
    return std::string("{'name':'") + flavor + "','resources':[{'name':'cpu','nominalQuota':'10'}]}";
  };
  list(1, {"{'metadata':{'name':'c','uid':'c'},'spec':{'resourceGroups':[{'coveredResources':['cpu'],'"
           "flavors':[" +
           quota("e") + "," + quota("f") + "]}]}}"});
  ASSERT_TRUE(request(14));
  admit(1, 14);
  putWaiting();
  look();
  EXPECT_EQ(quotas.at(0).cores, Cores(10'000));
  clock.advance(Seconds(6));
  look();
  look();
  EXPECT_EQ(quotas.at(0).cores, Cores(6'000)) << "of the second flavor";
}

// Otherwise slaq would stop others, and wait for cores that this job never gives.
TEST_F(QueuesTest, AJobThatIsNotSizedMakesNoRoom) {
  ASSERT_TRUE(request(14));
  admit(1, 14);
  putWaiting();
  look();
  EXPECT_EQ(quotas.at(0).cores, Cores(6'000));
  job.spec.suspend = true;
  look();
  EXPECT_EQ(quotas.at(0).cores, Cores(10'000));
}

TEST_F(QueuesTest, NoRoomIsMadeInAQueueThatIsStopped) {
  ASSERT_TRUE(request(2));
  admit(1, 2);
  putWaiting();
  list(3, {"{'metadata':{'name':'q','namespace':'team-a','uid':'q'},'spec':{'clusterQueue':'c','stopPolicy':'"
           "Hold'}}"});
  EXPECT_EQ(look().most, Workers(18));
}

TEST_F(QueuesTest, AJobOfAnUnknownFlavorDoesNotStartYet) {
  ASSERT_TRUE(request(2));
  admit(1, 2);
  look();
  list(4, {});
  EXPECT_EQ(queues.place(job).error().kind, ErrorKind::Transient);
}

TEST_F(QueuesTest, AJobThatIsOverIsFinished) {
  ASSERT_TRUE(request(2));
  admit(1, 2);
  look();
  ASSERT_TRUE(request(0, false, JobState::Complete));
  EXPECT_EQ(look().asked, Workers(0));
  const auto made = stored(1);
  const auto& last = made["status"]["conditions"][2];
  EXPECT_STREQ(last["type"].GetString(), "Finished");
  EXPECT_STREQ(last["reason"].GetString(), "Succeeded");
}

TEST_F(QueuesTest, ASuspendedJobLeavesTheQueue) {
  ASSERT_TRUE(request(2));
  look();
  ASSERT_TRUE(request(0, false, JobState::Suspended));
  EXPECT_FALSE(server.has(path(1)));
}

TEST_F(QueuesTest, TellWhenThePodsAreReady) {
  ASSERT_TRUE(request(2));
  admit(1, 2);
  EXPECT_FALSE(look().podsReady);
  ASSERT_TRUE(request(2, true));
  EXPECT_TRUE(look().podsReady);
}

TEST_F(QueuesTest, PodsGoWhereTheirFlavorIs) {
  ASSERT_TRUE(request(2));
  admit(1, 2);
  look();
  ASSERT_TRUE(queues.place(job));
  const auto pod = parse(job.spec.workers.pod.document);
  EXPECT_STREQ(pod["spec"]["nodeSelector"]["pool"].GetString(), "a");
  EXPECT_STREQ(pod["spec"]["nodeSelector"]["disk"].GetString(), "ssd");
  EXPECT_STREQ(pod["spec"]["tolerations"][0]["key"].GetString(), "gpu");
}

TEST_F(QueuesTest, APriorityClassHasToExist) {
  job.priorityClass = "urgent";
  EXPECT_THAT(request(2).error().message, HasSubstr("there is no WorkloadPriorityClass urgent"));
  server.put("/apis/kueue.x-k8s.io/v1beta2/workloadpriorityclasses/urgent",
             quoted("{'metadata':{'name':'urgent'},'value':7}"));
  ASSERT_TRUE(request(2));
  EXPECT_EQ(stored(1)["spec"]["priority"].GetInt(), 7);
}

TEST_F(QueuesTest, RefuseWhatKueueCannotCount) {
  job.spec.workers.scaling = Scaling::CPU;
  look();
  EXPECT_THAT(refusal, Optional(HasSubstr("scaling CPU cannot be in a queue")));
  job.spec.workers.target = TargetRef{};
  look();
  EXPECT_THAT(refusal, Optional(HasSubstr("targetRef cannot be in a queue")));
}

TEST_F(QueuesTest, LeaveARunningJobAsItIsThatCannotBeInAQueue) {
  job.spec.workers.scaling = Scaling::CPU;
  workers = {.exists = true, .desired = Workers(2), .ready = Workers(2)};
  EXPECT_EQ(look().asked, Workers(0));
  EXPECT_EQ(refusal, std::nullopt);
  workers = {};
  look();
  EXPECT_THAT(refusal, Optional(HasSubstr("scaling CPU cannot be in a queue")));
}

TEST_F(QueuesTest, RefuseAJobWhosePodsKueueWouldPlaceItself) {
  list(4, {"{'metadata':{'name':'f','uid':'f'},'spec':{'topologyName':'racks'}}"});
  EXPECT_EQ(look().asked, Workers(0));
  EXPECT_THAT(refusal, Optional(HasSubstr("each ResourceFlavor of the ClusterQueue c has topologyName")));
  ASSERT_TRUE(request(2));
  admit(1, 2);
  EXPECT_EQ(look().asked, Workers(2)) << "so that its Workload is given back";
  EXPECT_THAT(refusal, Optional(HasSubstr("topologyName")));
  workers = {.exists = true, .desired = Workers(2), .ready = Workers(2)};
  look();
  EXPECT_EQ(refusal, std::nullopt) << "it runs";
}

TEST_F(QueuesTest, TakeTheHigherNumberForTheNewerOfTwoThatWereMadeInOneSecond) {
  std::vector<Workload> made(2);
  made[0].key = {"team-a", "trainingjob-logreg-uid-1-9"};
  made[1].key = {"team-a", "trainingjob-logreg-uid-1-10"};
  for (auto& each : made) each.clusterQueue = "c";
  EXPECT_EQ(slicesOf(job, {&made[0], &made[1]}).current->key, made[1].key);
  EXPECT_EQ(slicesOf(job, {&made[1], &made[0]}).current->key, made[1].key);
}

TEST_F(QueuesTest, LeaveARunningJobAsItIsWhereKueueIsNotKnown) {
  Queues unlisted("cpu", false, clock, [] {});
  ClusterView view;
  view.jobs.resize(1);
  view.jobs[0].job = job;
  view.jobs[0].workers.exists = true;
  view.jobs[0].workers.desired = Workers(3);
  unlisted.describe(view);
  EXPECT_EQ(view.jobs[0].queue->admitted, Workers(3));
  EXPECT_EQ(view.jobs[0].queue->most, Workers(3));
  EXPECT_EQ(unlisted.request(api, job, {job.key, Workers(3)}, JobState::Running, "").error().kind,
            ErrorKind::Transient);
  view.jobs[0].workers = {};
  view.jobs[0].queue.reset();
  unlisted.describe(view);
  EXPECT_EQ(view.jobs[0].queue, std::nullopt);
  EXPECT_THAT(view.jobs[0].refusal, Optional(HasSubstr("is Kueue 0.18 or later installed")));
}

}  // namespace
}  // namespace slaq::kube::queues
