#include <gmock/gmock.h>

#include "kube/support/cluster_fixture.h"

namespace slaq::kube::cluster {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kPostService = "POST /api/v1/namespaces/team-a/services";
constexpr const char* kPostJob = "POST /apis/batch/v1/namespaces/team-a/jobs?fieldValidation=Strict";

TEST_F(ClusterTest, IsNotObservedBeforeItsFirstLists) {
  Store empty;
  KubeCluster early(api, empty, events, clock);
  EXPECT_EQ(early.observe().error().kind, ErrorKind::Transient);
}

// Without the quotas slaq would grow a job beyond one.
TEST_F(ClusterTest, IsObservedOnceTheQuotasAreListed) {
  ResourceQuotas quotas("cpu");
  const auto consistent = [] { return std::optional<std::string>(); };
  KubeCluster waiting(api, store, events, clock, {.quotas = &quotas, .whyInconsistent = consistent});
  EXPECT_FALSE(waiting.observe());
  quotas.sink().beginList();
  quotas.sink().endList("1000000");
  EXPECT_TRUE(waiting.observe());
}

TEST_F(ClusterTest, IsObservedAfterAWhileWhereQuotasAreNotListed) {
  const ResourceQuotas quotas("cpu");
  const auto consistent = [] { return std::optional<std::string>(); };
  KubeCluster waiting(api, store, events, clock, {.quotas = &quotas, .whyInconsistent = consistent});
  EXPECT_FALSE(waiting.observe());
  clock.advance(Seconds(16));
  EXPECT_TRUE(waiting.observe());
}

TEST_F(ClusterTest, StartingCreatesServiceThenDriverThenWorkers) {
  haveJob();
  ASSERT_TRUE(cluster.apply(StartJob{kKey, Workers(3)}));
  EXPECT_THAT(server.takeRequests(),
              ElementsAre(std::string("GET ") + kJobPath, kPostService, kPostJob, kPostJob));
  EXPECT_THAT(server.at(kWorkersPath), HasSubstr(R"("parallelism":3)"));
  EXPECT_TRUE(server.has(kDriverPath));
}

TEST_F(ClusterTest, SeesItsOwnWritesBeforeTheWatchBringsThem) {
  haveRunning(3);
  EXPECT_TRUE(only().workers.exists);
  EXPECT_EQ(only().workers.desired, Workers(3));
  EXPECT_TRUE(only().driver.exists);
}

TEST_F(ClusterTest, StartingTwiceWritesNothingMore) {
  haveRunning(3);
  ASSERT_TRUE(cluster.apply(StartJob{kKey, Workers(3)}));
  EXPECT_THAT(server.takeRequests(), IsEmpty());
}

TEST_F(ClusterTest, StartingAfterACrashGoesOnWhereItStopped) {
  haveJob();
  server.put(kServicePath, objects::serviceBody(trainingJob()));
  server.put(kDriverPath,
             objects::driverBody(trainingJob()));  // the crash came before the workers, and the watch lags
  ASSERT_TRUE(cluster.apply(StartJob{kKey, Workers(3)}));
  EXPECT_THAT(server.takeRequests(),
              ElementsAre(std::string("GET ") + kJobPath, kPostService, std::string("GET ") + kServicePath,
                          kPostJob, std::string("GET ") + kDriverPath, kPostJob));
}

// The lists after a restart were older than the children: the cores of a running job are not what was decided
// on.
TEST_F(ClusterTest, WorkersThatRunUnknownAreNotScaledByAStart) {
  haveJob();
  server.put(kServicePath, objects::serviceBody(trainingJob()));
  server.put(kDriverPath, objects::driverBody(trainingJob()));
  server.put(kWorkersPath, objects::workersBody(trainingJob(), Workers(2)));
  const auto started = cluster.apply(StartJob{kKey, Workers(5)});
  ASSERT_FALSE(started);
  EXPECT_EQ(started.error().kind, ErrorKind::Conflict);
  EXPECT_THAT(server.takeWrites(), ElementsAre(kPostService, kPostJob, kPostJob));
  EXPECT_EQ(only().workers.desired, Workers(2));
  EXPECT_FALSE(only().refusal);
}

// Only the watch of TrainingJobs is stalled: it still shows the job.
TEST_F(ClusterTest, NothingIsCreatedForAJobThatIsGone) {
  haveJob();
  server.erase(kJobPath);
  EXPECT_EQ(cluster.apply(StartJob{kKey, Workers(3)}).error().kind, ErrorKind::Conflict);
  server.put(kJobPath, jobText(true, "uid-2"));
  EXPECT_EQ(cluster.apply(StartJob{kKey, Workers(3)}).error().kind, ErrorKind::Conflict);
  EXPECT_THAT(server.takeRequests(), testing::Each(std::string("GET ") + kJobPath));
  EXPECT_FALSE(only().refusal);
}

TEST_F(ClusterTest, NothingIsCreatedForAJobThatWasChangedMeanwhile) {
  haveJob();
  editElsewhere(kJobPath, "{'metadata': {'generation': 2}}");
  EXPECT_EQ(cluster.apply(StartJob{kKey, Workers(3)}).error().kind, ErrorKind::Conflict);
  EXPECT_THAT(server.takeRequests(), testing::Each(std::string("GET ") + kJobPath));
  relist();
  EXPECT_TRUE(cluster.apply(StartJob{kKey, Workers(3)}));
}

TEST_F(ClusterTest, StartingASuspendedJobIsOnePatchForEachChild) {
  haveRunning(3);
  ASSERT_TRUE(cluster.apply(SuspendJob{kKey}));
  EXPECT_THAT(server.takeRequests(), ElementsAre(patchOf(kWorkersPath, "made-3", 104, "{'suspend':true}"),
                                                 patchOf(kDriverPath, "made-2", 103, "{'suspend':true}")));
  EXPECT_TRUE(only().workers.suspended);
  ASSERT_TRUE(cluster.apply(StartJob{kKey, Workers(5)}));
  EXPECT_THAT(
      server.takeRequests(),
      ElementsAre(patchOf(kDriverPath, "made-2", 106, "{'suspend':false}"),
                  patchOf(kWorkersPath, "made-3", 105, "{'suspend':false,'parallelism':5,'completions':5}")));
}

TEST_F(ClusterTest, ScalingIsExactlyOnePatch) {
  haveRunning(3);
  ASSERT_TRUE(cluster.apply(ScaleWorkers{kKey, Workers(3), Workers(6)}));
  EXPECT_THAT(server.takeRequests(),
              ElementsAre(patchOf(kWorkersPath, "made-3", 104, "{'parallelism':6,'completions':6}")));
  ASSERT_TRUE(cluster.apply(ScaleWorkers{kKey, Workers(3), Workers(6)}));
  EXPECT_THAT(server.takeRequests(), IsEmpty());
}

TEST_F(ClusterTest, AConflictIsReadAgainAndTriedAgain) {
  haveRunning(3);
  editElsewhere(kWorkersPath, "{'metadata': {'annotations': {'a': 'b'}}}");
  ASSERT_TRUE(cluster.apply(ScaleWorkers{kKey, Workers(3), Workers(6)}));
  EXPECT_THAT(server.takeRequests(),
              ElementsAre(patchOf(kWorkersPath, "made-3", 104, "{'parallelism':6,'completions':6}"),
                          std::string("GET ") + kWorkersPath,
                          patchOf(kWorkersPath, "made-3", 105, "{'parallelism':6,'completions':6}")));
}

TEST_F(ClusterTest, AnOldGoalIsNotForcedOnWhatOthersChanged) {
  for (const std::string change :
       {"{'spec':{'parallelism':5,'completions':5}}", "{'spec':{'suspend':true}}"}) {
    haveRunning(3);
    editElsewhere(kWorkersPath, change);
    const auto scaled = cluster.apply(ScaleWorkers{kKey, Workers(3), Workers(6)});
    ASSERT_FALSE(scaled) << change;
    EXPECT_EQ(scaled.error().kind, ErrorKind::Conflict) << change;
    EXPECT_THAT(scaled.error().message, HasSubstr("was changed by somebody else")) << change;
    EXPECT_THAT(server.takeWrites(), ElementsAre(HasSubstr("parallelism"))) << change;
    server.erase(kJobPath);
    server.erase(kWorkersPath);
    server.erase(kDriverPath);
    relist();
    resizedByOther = false;  // the lists have come
  }
}

TEST_F(ClusterTest, WhatWasDecidedBeforeAnothersResizeWasSeenIsNotApplied) {
  haveRunning(3);
  ASSERT_TRUE(cluster.observe());
  editElsewhere(kWorkersPath, "{'spec':{'parallelism':2,'completions':2}}");
  relist();  // the watch shows it between the decision and the write
  const auto scaled = cluster.apply(ScaleWorkers{kKey, Workers(3), Workers(6)});
  ASSERT_FALSE(scaled);
  EXPECT_EQ(scaled.error().kind, ErrorKind::Conflict);
  EXPECT_THAT(server.takeRequests(), IsEmpty());
}

TEST_F(ClusterTest, NothingIsDecidedByWhatAnotherProcessResized) {
  haveRunning(3);
  ASSERT_TRUE(cluster.apply(ScaleWorkers{kKey, Workers(3), Workers(6)}));
  relist();
  EXPECT_TRUE(cluster.observe());
  editElsewhere(kWorkersPath, "{'spec':{'parallelism':5,'completions':5}}");
  EXPECT_TRUE(cluster.observe());
  EXPECT_FALSE(cluster.apply(ScaleWorkers{kKey, Workers(6), Workers(4)}));  // the conflict tells of it
  const auto observed = cluster.observe();
  ASSERT_FALSE(observed);
  EXPECT_EQ(observed.error().kind, ErrorKind::Transient);
}

// As after a write whose answer was lost.
TEST_F(ClusterTest, AGoalThatWasReachedMeanwhileIsNoConflict) {
  haveRunning(3);
  editElsewhere(kWorkersPath, "{'spec':{'parallelism':6,'completions':6}}");
  EXPECT_TRUE(cluster.apply(ScaleWorkers{kKey, Workers(3), Workers(6)}));
}

TEST_F(ClusterTest, ConflictsAreTriedAgainTwiceAtMost) {
  haveRunning(3);
  server.before = [](const http::HttpRequest& request) -> std::optional<Result<http::HttpResponse>> {
    if (request.method != "PATCH") return std::nullopt;
    return refusal(409, "Conflict", "the object has been modified");
  };
  EXPECT_EQ(cluster.apply(ScaleWorkers{kKey, Workers(3), Workers(6)}).error().kind, ErrorKind::Conflict);
  EXPECT_EQ(server.takeRequests().size(), 5u);  // three patches, two reads
}

TEST_F(ClusterTest, AnAnswerLostAfterThePatchWasAppliedHasNoSecondEffect) {
  haveRunning(3);
  bool lost = false;
  server.after = [&](const http::HttpRequest& request) -> std::optional<Result<http::HttpResponse>> {
    if (request.method != "PATCH" || std::exchange(lost, true)) return std::nullopt;
    return Result<http::HttpResponse>(failure(ErrorKind::Transient, "the connection broke"));
  };
  ASSERT_TRUE(cluster.apply(ScaleWorkers{kKey, Workers(3), Workers(6)}));
  EXPECT_THAT(server.at(kWorkersPath), HasSubstr(R"("resourceVersion":"105")"));  // written once
  EXPECT_EQ(only().workers.desired, Workers(6));
}

TEST_F(ClusterTest, AnAnswerLostAfterACreationHasNoSecondEffect) {
  haveJob();
  int posts = 0;
  server.after = [&](const http::HttpRequest& request) -> std::optional<Result<http::HttpResponse>> {
    if (request.method != "POST" || ++posts != 3) return std::nullopt;
    return Result<http::HttpResponse>(failure(ErrorKind::Transient, "the connection broke"));
  };
  ASSERT_TRUE(cluster.apply(StartJob{kKey, Workers(3)}));
  EXPECT_EQ(only().workers.desired, Workers(3));
}

TEST_F(ClusterTest, AChildThatWasReplacedIsAConflict) {
  haveRunning(3);
  auto other = objects::workersBody(trainingJob(), Workers(3));
  other.replace(other.find("\"metadata\":{"), 12, "\"metadata\":{\"uid\":\"new\",");
  server.put(kWorkersPath, other);
  const auto scaled = cluster.apply(ScaleWorkers{kKey, Workers(3), Workers(6)});
  EXPECT_EQ(scaled.error().kind, ErrorKind::Conflict);
  EXPECT_THAT(scaled.error().message, HasSubstr("replaced"));
}

TEST_F(ClusterTest, ANameTakenByAStrangerIsRefusedWithASentence) {
  haveJob();
  server.put(kServicePath, quoted("{'metadata': {'name': 'logreg', 'namespace': 'team-a'}}"));
  const auto started = cluster.apply(StartJob{kKey, Workers(3)});
  EXPECT_EQ(started.error().kind, ErrorKind::Invalid);
  EXPECT_THAT(server.takeWrites(), ElementsAre(kPostService));
  EXPECT_THAT(only().refusal.value_or(""), HasSubstr("does not belong to this TrainingJob"));
}

TEST_F(ClusterTest, ChildrenOfAJobThatWasDeletedAndMadeAgainAreNotItsOwn) {
  haveRunning(3);
  server.put(kJobPath, jobText(true, "uid-2"));
  relist();
  EXPECT_FALSE(only().workers.exists);
  EXPECT_EQ(cluster.apply(StartJob{kKey, Workers(3)}).error().kind, ErrorKind::Conflict);
  EXPECT_FALSE(only().refusal) << "they are about to go";
}

TEST_F(ClusterTest, ARejectedChildsSentenceIsShownUntilItIsObeyed) {
  haveJob();
  server.before = [](const http::HttpRequest& request) -> std::optional<Result<http::HttpResponse>> {
    if (request.method != "POST" || request.path.find("/jobs") == std::string::npos) return std::nullopt;
    return refusal(403, "Forbidden", "exceeded quota: team-a");
  };
  EXPECT_EQ(cluster.apply(StartJob{kKey, Workers(3)}).error().kind, ErrorKind::Forbidden);
  EXPECT_EQ(only().refusal, "exceeded quota: team-a");
  server.before = nullptr;
  ASSERT_TRUE(cluster.apply(StartJob{kKey, Workers(3)}));
  EXPECT_EQ(only().refusal, std::nullopt);
}

TEST_F(ClusterTest, ARefusedStartIsTriedAgainAfterAPauseThatGrows) {
  haveJob();
  server.before = [](const http::HttpRequest& request) -> std::optional<Result<http::HttpResponse>> {
    if (request.method != "POST") return std::nullopt;
    return refusal(403, "Forbidden", "exceeded quota: team-a");
  };
  for (const double pause : {5.0, 10.0, 20.0}) {
    ASSERT_FALSE(cluster.apply(StartJob{kKey, Workers(3)}));
    clock.advance(Seconds(pause - 0.1));
    EXPECT_TRUE(only().refusal) << pause;
    clock.advance(Seconds(0.2));
    EXPECT_FALSE(only().refusal) << pause;
  }
}

TEST_F(ClusterTest, ARefusedScaleDoesNotStopARunningJob) {
  haveRunning(3);
  server.before = [](const http::HttpRequest& request) -> std::optional<Result<http::HttpResponse>> {
    if (request.method != "PATCH") return std::nullopt;
    return refusal(403, "Forbidden", "a webhook said no");
  };
  EXPECT_EQ(cluster.apply(ScaleWorkers{kKey, Workers(3), Workers(4)}).error().kind, ErrorKind::Forbidden);
  EXPECT_FALSE(only().refusal);
}

TEST_F(ClusterTest, PodsWhoseJobIsGoneAreCountedAsLeaving) {
  haveRunning(3);
  editElsewhere(kWorkersPath, "{'status': {'active': 2, 'terminating': 1}}");
  relist();
  EXPECT_EQ(cluster.observe()->leaving, Cores());
  const Cores each = coresOf(trainingJob().spec.workers.pod);
  server.erase(kJobPath);
  relist();
  EXPECT_EQ(cluster.observe()->leaving, each * Workers(3));
}

TEST_F(ClusterTest, AJobThatBreaksTheRulesIsRefusedAndNotStarted) {
  auto text = jobText();
  text.replace(text.find("\"maxReplicas\": 8"), 16, "\"maxReplicas\": 1");
  server.put(kJobPath, text);
  relist();
  EXPECT_THAT(only().refusal.value_or(""),
              HasSubstr("spec.workers.maxReplicas must be at least minReplicas"));
  EXPECT_EQ(cluster.apply(StartJob{kKey, Workers(1)}).error().kind, ErrorKind::Invalid);
  EXPECT_THAT(server.takeRequests(), IsEmpty());
}

TEST_F(ClusterTest, AJobThatIsBeingDeletedIsNotStarted) {
  auto text = jobText();
  text.replace(text.find("\"uid\""), 0, "\"deletionTimestamp\":\"2026-01-31T12:00:00Z\",");
  server.put(kJobPath, text);
  relist();
  EXPECT_EQ(cluster.apply(StartJob{kKey, Workers(2)}).error().kind, ErrorKind::Conflict);
  EXPECT_THAT(server.takeRequests(), IsEmpty());
}

TEST_F(ClusterTest, FinishingSuspendsTheWorkersAndLeavesADriverThatIsOver) {
  haveRunning(3);
  editElsewhere(kDriverPath, "{'status': {'conditions': [{'type': 'Complete', 'status': 'True'}]}}");
  relist();
  EXPECT_TRUE(only().driver.succeeded);
  ASSERT_TRUE(cluster.apply(FinishJob{kKey}));
  EXPECT_THAT(server.takeRequests(), ElementsAre(patchOf(kWorkersPath, "made-3", 104, "{'suspend':true}")));
  ASSERT_TRUE(cluster.apply(FinishJob{kKey}));
  EXPECT_THAT(server.takeRequests(), IsEmpty());
}

TEST_F(ClusterTest, FinishingStopsADriverThatWouldBeStartedForEver) {
  haveRunning(3);
  ASSERT_TRUE(cluster.apply(FinishJob{kKey}));
  EXPECT_THAT(server.takeWrites(), ElementsAre(HasSubstr(kWorkersPath), HasSubstr(kDriverPath)));
}

TEST_F(ClusterTest, DeletingIsOneRequestAndOnceIsEnough) {
  haveRunning(3);
  ASSERT_TRUE(cluster.apply(DeleteJob{kKey}));
  EXPECT_THAT(server.takeRequests(), ElementsAre(std::string("DELETE ") + kJobPath));
  EXPECT_FALSE(server.has(kJobPath));
  EXPECT_TRUE(cluster.apply(DeleteJob{kKey}));  // the watch has not brought it yet
}

TEST_F(ClusterTest, AJobMadeAgainUnderTheNameIsNotDeleted) {
  haveJob();
  server.put(kJobPath, jobText(true, "uid-2"));
  EXPECT_EQ(cluster.apply(DeleteJob{kKey}).error().kind, ErrorKind::Conflict);
  EXPECT_TRUE(server.has(kJobPath));
}

// The watch brings another job of the name after the decision about the first one.
TEST_F(ClusterTest, WhatWasDecidedOfAJobIsNotDoneToAnotherOfItsName) {
  haveJob();
  only();
  server.put(kJobPath, jobText(true, "uid-2"));
  relist();
  for (const Action& action : {Action(DeleteJob{kKey}), Action(StartJob{kKey, Workers(3)})})
    EXPECT_EQ(cluster.apply(action).error().kind, ErrorKind::Conflict);
  EXPECT_TRUE(server.has(kJobPath));
  only();
  EXPECT_TRUE(cluster.apply(DeleteJob{kKey}));
}

// The spec of a pod with that request, on that node or on none.
std::string requesting(const std::string& cpu, const std::string& node) {
  return "'spec':{'nodeName':'" + node + "','containers':[{'name':'main','resources':{'requests':{'cpu':'" +
         cpu + "'}}}]}";
}

TEST_F(ClusterTest, PodsThatOutliveTheirJobAreCountedAsLeaving) {
  haveRunning(1, false);
  putPod("old", workersUid(), "0", requesting("700m", "n"));
  putPod("never-placed", workersUid(), "1", requesting("700m", ""));
  relist();
  EXPECT_EQ(cluster.observe()->leaving, Cores());
  server.erase(kJobPath);
  server.erase(kWorkersPath);
  relist();
  EXPECT_EQ(cluster.observe()->leaving, Cores(700));
  editElsewhere(podPath("old").c_str(), "{'status':{'phase':'Failed'}}");
  relist();
  EXPECT_EQ(cluster.observe()->leaving, Cores());
}

TEST_F(ClusterTest, WhoStandsByKnowsWhosePodsOutliveTheirJob) {
  haveRunning(1, false);
  putPod("old", workersUid(), "0", requesting("700m", "n"));
  relist();
  store.noteOwners(clock.now());
  server.erase(kJobPath);
  server.erase(kWorkersPath);
  relist();
  EXPECT_EQ(cluster.observe()->leaving, Cores(700));
}

// Nobody can tell any more whose they are.
TEST_F(ClusterTest, PodsThatWereEndingAtTheStartAreWaitedForButNotForLong) {
  putPod("old", "some-uid", "0", requesting("700m", "n"));
  editElsewhere(podPath("old").c_str(), "{'metadata':{'deletionTimestamp':'2026-01-01T00:00:00Z'}}");
  relist();
  EXPECT_EQ(cluster.observe()->leaving, Cores(700));
  putPod("later", "another-uid", "0", requesting("900m", "n"));
  editElsewhere(podPath("later").c_str(), "{'metadata':{'deletionTimestamp':'2026-01-01T00:00:00Z'}}");
  relist();
  EXPECT_EQ(cluster.observe()->leaving, Cores(700));
  clock.advance(Seconds(60));
  EXPECT_EQ(cluster.observe()->leaving, Cores());
}

// Whoever may make pods can give them our labels and any owner: nobody else waits for such cores.
TEST_F(ClusterTest, PodsThatOnlyLookLikeOursAreNotWaitedFor) {
  putPod("pending", "", "0", requesting("1000", ""));
  putPod("placed", "", "0", requesting("1000", "n"));
  putPod("child-of-nobody", "some-uid", "0", requesting("1000", "n"));
  relist();
  EXPECT_EQ(cluster.observe()->leaving, Cores());
  EXPECT_EQ(store.coresByNode().strange["n"], Cores(2'000'000));
  EXPECT_EQ(store.coresByNode().own["n"], Cores());
}

TEST_F(ClusterTest, AJobThatOnlyLooksLikeAChildIsNotWaitedFor) {
  haveRunning(2);
  std::string other = server.at(kWorkersPath);
  other.replace(other.find("logreg-workers"), 14, "another-worker");
  other.replace(other.find(workersUid()), workersUid().size(), "forged");
  server.put("/apis/batch/v1/namespaces/team-a/jobs/another-worker", other);
  editElsewhere("/apis/batch/v1/namespaces/team-a/jobs/another-worker", "{'status':{'active':1000000}}");
  putPod("w", "forged", "0", requesting("1000", "n"));
  relist();
  EXPECT_EQ(cluster.observe()->leaving, Cores());
}

TEST_F(ClusterTest, APodOfAnotherNamespaceIsNoneOfOursWhateverItsOwner) {
  haveRunning(2);
  forgePod(requesting("1000", "n"));
  EXPECT_EQ(coresOf(only().job.spec.workers.pod), Cores(500));
  EXPECT_EQ(store.coresByNode().strange["n"], Cores(1'000'000));
  store.childJobs().remove(parse(server.at(kWorkersPath)));
  EXPECT_EQ(cluster.observe()->leaving, Cores());
}

// Side-cars that the cluster adds, limits that it sets, the overhead of a runtime class.
TEST_F(ClusterTest, AWorkerCostsWhatItsPodsWereSeenToRequest) {
  haveRunning(2);
  EXPECT_EQ(coresOf(only().job.spec.workers.pod), Cores(500));
  putPod("w-0", workersUid(), "0",
         "'spec':{'nodeName':'n','overhead':{'cpu':'50m'},'containers':["
         "{'name':'main','resources':{'requests':{'cpu':'500m'}}},"
         "{'name':'injected','resources':{'requests':{'cpu':'100m'}}}]}");
  relist();
  EXPECT_EQ(coresOf(only().job.spec.workers.pod), Cores(650));
  server.erase(podPath("w-0"));
  relist();
  EXPECT_EQ(coresOf(only().job.spec.workers.pod), Cores(650)) << "the next ones will cost the same";
}

TEST_F(ClusterTest, AWorkerCostsWhatItsTemplateAddsBeforeAnyPodWasSeen) {
  std::string job = jobText();
  const std::string init = "'name': 'fetch', 'image': 'fetch:1'";
  const auto at = job.find(quoted(init));
  ASSERT_NE(at, std::string::npos);
  job.replace(at, init.size(),
              quoted(init + ", 'restartPolicy': 'Always', 'resources': {'requests': {'cpu': '200m'}}"));
  server.put(kJobPath, job);
  relist();
  EXPECT_EQ(coresOf(only().job.spec.workers.pod), Cores(700));
}

TEST_F(ClusterTest, AChiefThatIsWorkerZeroCountsItsOwnFailures) {
  const std::string failed =
      "'status':{'phase':'Failed','containerStatuses':[{'state':{'terminated':{'exitCode':1}}}]}";
  haveRunning(2, false);
  putPod("w-0", workersUid(), "0", failed);
  putPod("w-1", workersUid(), "1", failed);
  relist();
  EXPECT_EQ(only().workers.failures, 1);
  EXPECT_EQ(only().workers.fault, "pod w-0 ended with exit code 1");
}

TEST_F(ClusterTest, FailuresOfWorkersAreNotTheirDrivers) {
  haveRunning(2);
  putPod("w-0", workersUid(), "0", "'status':{'phase':'Failed'}");
  relist();
  EXPECT_EQ(only().workers.failures, 0);
}

std::string failedCreate(const std::string& ns, const std::string& job, const std::string& name, int version,
                         const std::string& message, const std::string& time = "2026-01-31T12:00:00Z") {
  return quoted("{'metadata':{'namespace':'" + ns + "','name':'" + name + "','uid':'" + name +
                "','resourceVersion':'" + std::to_string(version) + "'},'involvedObject':{'uid':'" + job +
                "'},'lastTimestamp':'" + time + "','message':'Error creating: " + message + "'}");
}

TEST_F(ClusterTest, PodsThatCannotBeCreatedAreToldInTheServersWords) {
  haveRunning(1);
  auto& events = store.failedCreates();
  events.upsert(parse(failedCreate("team-a", workersUid(), "e-2", 20, "pods w-0 is forbidden: no quota")));
  events.upsert(parse(failedCreate("team-a", workersUid(), "e-1", 9, "an older cause")));
  events.upsert(parse(failedCreate("team-b", workersUid(), "e-3", 30, "of another tenant")));
  EXPECT_EQ(only().workers.obstacle, "no pod can be created: pods w-0 is forbidden: no quota");
  EXPECT_FALSE(only().driver.obstacle);
  putPod("w-0", workersUid(), "0", "'status':{'phase':'Pending'}");
  relist();
  EXPECT_FALSE(only().workers.obstacle);
}

// Events live for an hour, whatever became of what they tell.
TEST_F(ClusterTest, AFailedCreationIsOverOncePodsCameOrItIsNotRepeated) {
  haveRunning(2, false);
  auto& events = store.failedCreates();
  events.upsert(parse(failedCreate("team-a", workersUid(), "e", 20, "no quota")));
  clock.advance(Seconds(5 * 60));
  EXPECT_TRUE(only().workers.obstacle) << "the event of one that is repeated often comes after five minutes";
  clock.advance(Seconds(2 * 60));
  EXPECT_FALSE(only().workers.obstacle) << "it is not tried, or not refused, any more";
  events.upsert(parse(failedCreate("team-a", workersUid(), "e", 21, "no quota", "2026-01-31T12:07:00Z")));
  EXPECT_TRUE(only().workers.obstacle);
  clock.advance(Seconds(1));
  putPod("w-0", workersUid(), "0", "'status':{'phase':'Failed'}");
  relist();
  EXPECT_FALSE(only().workers.obstacle) << "a pod was created after it";
  events.upsert(parse(failedCreate("team-a", workersUid(), "e", 22, "no quota", "2026-01-31T12:07:01Z")));
  EXPECT_TRUE(only().workers.obstacle) << "of two pods the second was refused in the same second";
}

TEST_F(ClusterTest, TheTimeOfAFailedCreationIsTheLatestThatItsEventHas) {
  haveRunning(2, false);
  clock.advance(Seconds(3600));
  for (const char* time : {"'lastTimestamp':null,'eventTime':'2026-01-31T13:00:00.000000Z'",
                           "'eventTime':'2026-01-31T12:00:00.000000Z','series':{'lastObservedTime':"
                           "'2026-01-31T13:00:00.000000Z'}"}) {
    auto event = failedCreate("team-a", workersUid(), "e", 20, "no quota");
    const auto old = quoted("'lastTimestamp':'2026-01-31T12:00:00Z'");
    store.failedCreates().upsert(parse(event.replace(event.find(old), old.size(), quoted(time))));
    EXPECT_TRUE(only().workers.obstacle) << time;
  }
}

// Until its side-car was given the time to end in that every pod has, Kubernetes may still start it again.
TEST_F(ClusterTest, AChiefThatFailedBesideASideCarHasEndedOnlyAfterTheGracePeriodOfItsPod) {
  haveRunning(1, false);
  for (const auto& [spec, grace] : {std::pair("", 30), std::pair("'terminationGracePeriodSeconds':5,", 5)}) {
    for (const char* code : {"1", "143"}) {
      putPod("w-0", workersUid(), "0",
             "'spec':{" + std::string(spec) +
                 "'containers':[{'name':'t'},{'name':'proxy'}]},'status':{'phase':'Running',"
                 "'containerStatuses':[{'name':'t','state':{'terminated':{'exitCode':" +
                 code + ",'finishedAt':'" + toRfc3339(clock.now()) +
                 "'}}},{'name':'proxy','state':{'running':{}}}]}");
      relist();
      EXPECT_FALSE(only().chiefEnd) << code;
      EXPECT_EQ(only().workers.failures, std::string(code) == "1" ? 1 : 0) << "none if it was told to stop";
      clock.advance(Seconds(grace - 1));
      EXPECT_FALSE(only().chiefEnd) << code;
      clock.advance(Seconds(1));
      EXPECT_TRUE(only().chiefEnd && !only().chiefEnd->succeeded) << code;
    }
  }
}

TEST_F(ClusterTest, AChiefWhoseSideCarIsLeftHasEnded) {
  const std::string left =
      "'spec':{'containers':[{'name':'t'},{'name':'proxy'}]},'status':{'phase':'Running','containerStatuses':"
      "["
      "{'name':'t','state':{'terminated':{'exitCode':0}}},{'name':'proxy','state':{'running':{}}}]}";
  haveRunning(2, false);
  putPod("w-1", workersUid(), "1", left);
  relist();
  EXPECT_FALSE(only().chiefEnd) << "the chief is worker 0";
  putPod("w-0", workersUid(), "0", left);
  relist();
  EXPECT_TRUE(only().chiefEnd && only().chiefEnd->succeeded);
}

TEST_F(ClusterTest, ADriverThatCannotStartSaysWhy) {
  haveRunning(1);
  const std::string driver = parse(server.at(kDriverPath))["metadata"]["uid"].GetString();
  putPod("d", driver, "0",
         "'status':{'phase':'Pending','conditions':[{'type':'PodScheduled','status':'False',"
         "'reason':'Unschedulable','message':'no node'}]}");
  relist();
  EXPECT_EQ(only().driver.obstacle, "pod d finds no node: no node");
  EXPECT_FALSE(only().driver.ready);
}

TEST_F(ClusterTest, WritesNothingWithoutTheLease) {
  haveRunning(3);
  leading = false;
  EXPECT_EQ(cluster.apply(ScaleWorkers{kKey, Workers(3), Workers(6)}).error().kind, ErrorKind::Conflict);
  JobStatus status;
  status.state = JobState::Running;
  EXPECT_EQ(cluster.writeStatus(kKey, kUid, status).error().kind, ErrorKind::Conflict);
  EXPECT_THAT(server.takeRequests(), IsEmpty());
}

TEST_F(ClusterTest, LosingTheLeaseBetweenTwoTriesStopsTheSecond) {
  haveRunning(3);
  server.before = [&](const http::HttpRequest&) -> std::optional<Result<http::HttpResponse>> {
    leading = false;
    return refusal(503, "ServiceUnavailable", "later");
  };
  EXPECT_EQ(cluster.apply(ScaleWorkers{kKey, Workers(3), Workers(6)}).error().kind, ErrorKind::Conflict);
  EXPECT_EQ(server.takeRequests().size(), 1u);
}

TEST_F(ClusterTest, StatusIsAMergePatchThatRemovesWhatIsNotThere) {
  haveJob();
  JobStatus status;
  status.state = JobState::Waiting;
  status.desired = Workers(2);
  ASSERT_TRUE(cluster.writeStatus(kKey, kUid, status));
  EXPECT_THAT(
      server.takeRequests(),
      ElementsAre(
          std::string("PATCH ") + kJobPath +
          quoted("/status {'metadata':{'resourceVersion':'101'},'status':{'state':'Waiting','conditions':[],"
                 "'observedGeneration':0,'replicas':0,'readyReplicas':0,'desiredReplicas':2,"
                 "'selector':'slaq.io/job=logreg,slaq.io/role=worker',"
                 "'startTime':null,'completionTime':null,'progress':null,'speeds':null,'resizeCost':null,"
                 "'kind':null,'decision':null}}")));
}

TEST_F(ClusterTest, StatusReplacesProgressAsAWhole) {
  haveJob();
  JobStatus status;
  status.progress = Progress{Iterations(10), Loss(0.5), 0.4, Seconds(60), "Sublinear"};
  ASSERT_TRUE(cluster.writeStatus(kKey, kUid, status));
  status.progress = Progress{Iterations(0), Loss(0.9), std::nullopt, std::nullopt, ""};
  ASSERT_TRUE(cluster.writeStatus(kKey, kUid, status));
  EXPECT_EQ(only().status, status);
}

TEST_F(ClusterTest, StatusIsWrittenAfterAConflictUnlessTheJobWasReplaced) {
  haveJob();
  JobStatus status;
  status.state = JobState::Running;
  editElsewhere(kJobPath, "{'spec': {'weight': 2}}");
  ASSERT_TRUE(cluster.writeStatus(kKey, kUid, status));
  EXPECT_EQ(server.takeRequests().size(), 3u);  // refused, read again, written
  server.put(kJobPath, jobText(true, "uid-2"));
  status.state = JobState::Failed;
  const auto written = cluster.writeStatus(kKey, kUid, status);
  EXPECT_EQ(written.error().kind, ErrorKind::Conflict);
  EXPECT_THAT(server.at(kJobPath), testing::Not(HasSubstr("status")));
}

TEST_F(ClusterTest, AStatusThatReadsTheSameIsNotWritten) {
  haveJob();
  JobStatus status;
  status.state = JobState::Running;
  status.progress = Progress{Iterations(10), Loss(0.123412), std::nullopt, std::nullopt, ""};
  ASSERT_TRUE(cluster.writeStatus(kKey, kUid, status));
  server.takeRequests();
  status.progress->loss = Loss(0.123413);  // the same in four digits
  ASSERT_TRUE(cluster.writeStatus(kKey, kUid, status));
  EXPECT_THAT(server.takeRequests(), IsEmpty());
}

TEST_F(ClusterTest, StatusOfAJobThatIsGoneIsNotFound) {
  EXPECT_EQ(cluster.writeStatus(kKey, kUid, {}).error().kind, ErrorKind::NotFound);
  EXPECT_EQ(cluster.apply(SuspendJob{kKey}).error().kind, ErrorKind::NotFound);
}

TEST_F(ClusterTest, TheChiefsMetricsAreWhereItRuns) {
  haveRunning(3);
  EXPECT_EQ(only().metricsEndpoint, std::nullopt);
  editElsewhere(kDriverPath, "{'status': {'active': 1, 'failed': 2}}");
  relist();
  EXPECT_EQ(only().metricsEndpoint, "logreg-driver-0.logreg.team-a.svc:9464");
  EXPECT_TRUE(only().driver.active);
  EXPECT_EQ(only().driver.failures, 2);
}

// Its count is about a second late.
TEST_F(ClusterTest, CountsReadyWorkersByTheirPodsWhateverTheJobSays) {
  const std::string ready = "'status':{'conditions':[{'type':'Ready','status':'True'}]}";
  haveRunning(4, false);
  editElsewhere(kWorkersPath, "{'status': {'active': 2, 'ready': 1}}");
  for (const char* each : {"0", "1", "2"}) putPod(std::string("w-") + each, workersUid(), each, ready);
  putPod("w-3", workersUid(), "3", "'status':{'phase':'Pending'}");
  putPod("of-another", "some-uid", "0", ready);
  relist();
  EXPECT_EQ(only().workers.ready, Workers(3));
  editElsewhere(podPath("w-2").c_str(), "{'metadata':{'deletionTimestamp':'2026-02-01T00:00:00Z'}}");
  relist();
  EXPECT_EQ(only().workers.ready, Workers(2));
}

// Else cores would lie idle for a second after each shrink.
TEST_F(ClusterTest, CoresOfWorkersThatEndedAreFreeBeforeTheJobSaysSo) {
  haveRunning(4, false);
  ASSERT_TRUE(cluster.apply(ScaleWorkers{kKey, Workers(4), Workers(2)}));
  editElsewhere(kWorkersPath, "{'status': {'active': 2, 'terminating': 2}}");
  for (const char* each : {"0", "1"}) putPod(std::string("w-") + each, workersUid(), each, "'status':{}");
  putPod("w-2", workersUid(), "2", "'status':{}");
  putPod("w-3", workersUid(), "3", "'status':{'phase':'Failed'}");
  editElsewhere(podPath("w-2").c_str(), "{'metadata':{'deletionTimestamp':'2026-02-01T00:00:00Z'}}");
  relist();
  EXPECT_EQ(only().workers.active, Workers(2));
  EXPECT_EQ(only().workers.terminating, Workers(1));
  editElsewhere(podPath("w-2").c_str(), "{'status':{'phase':'Succeeded'}}");
  relist();
  EXPECT_EQ(only().workers.terminating, Workers(0));
}

TEST_F(ClusterTest, SeesHowTheWorkersDo) {
  haveRunning(4, false);
  editElsewhere(kWorkersPath, R"({'status': {'active': 4, 'terminating': 1,
                                 'conditions': [{'type': 'SuccessCriteriaMet', 'status': 'True'},
                                                {'type': 'Failed', 'status': 'True', 'message': 'too often'}]}})");
  relist();
  const auto workers = only().workers;
  EXPECT_EQ(workers.active, Workers(0)) << "all are to end with the chief";
  EXPECT_EQ(workers.terminating, Workers(5));
  EXPECT_TRUE(workers.succeeded);
  EXPECT_EQ(workers.failed, "too often");
  EXPECT_FALSE(only().driver.exists);
}

TEST_F(ClusterTest, WithoutAnImageOfSlaqReportAJobThatNeedsItIsRefused) {
  auto text = jobText(false);
  const std::string spec = "\"workers\"";
  text.replace(text.find(spec), spec.size(), quoted("'loss':{'from':{'output':{}}},'workers'"));
  const std::string image = quoted("'image': 'trainer:1'");
  text.replace(text.find(image), image.size(), quoted("'command': ['train'], 'image': 'trainer:1'"));
  server.put(kJobPath, text);
  relist();
  const auto done = cluster.apply(StartJob{kKey, Workers(1)});
  ASSERT_FALSE(done);
  EXPECT_THAT(done.error().message, testing::HasSubstr("spec.loss.from needs an image with slaq-report"));
}

}  // namespace
}  // namespace slaq::kube::cluster
