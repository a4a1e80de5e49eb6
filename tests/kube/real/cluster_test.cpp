// The port Cluster on a real API server, with the real Job controller and garbage collector behind it.
#include <gmock/gmock.h>

#include <atomic>

#include "kube/json/json_fields.h"
#include "kube/leader/election.h"
#include "kube/objects/names.h"
#include "kube/support/json.h"
#include "real_cluster.h"

namespace slaq::kube {
namespace {

using json::at;
using json::intAt;
using json::stringAt;

using testing::HasSubstr;

constexpr const char* kDriver =
    "'driver':{'template':{'spec':{'containers':[{'name':'main','image':'trainer:1',"
    "'resources':{'requests':{'cpu':'1'}}}]}}}";

TEST_F(RealClusterTest, FollowsCreationUpdateAndDeletion) {
  createAndSee("job");
  const auto uid = see("job")->job.uid;
  rig.call("PATCH", jobsPath() + "/job", "application/merge-patch+json", R"({"spec":{"weight":7}})");
  EXPECT_TRUE(comesTo("job", [](const JobView& view) { return view.job.spec.weight == 7; }));
  ASSERT_TRUE(rig.api().remove({client::kTrainingJobs, ns, "job"}, uid));
  EXPECT_TRUE(eventually([&] { return !see("job"); }));
}

TEST_F(RealClusterTest, RefusesToDeleteAnotherIncarnation) {
  createAndSee("job");
  EXPECT_EQ(rig.api().remove({client::kTrainingJobs, ns, "job"}, "another").error().kind,
            ErrorKind::Conflict);
}

TEST_F(RealClusterTest, StartsAJobWhoseChildrenTheServerTakes) {
  createAndSee("job", kDriver);
  const auto started = cluster().apply(StartJob{key("job"), Workers(3)});
  ASSERT_TRUE(started) << started.error().message;
  EXPECT_TRUE(comesTo(
      "job", [](const JobView& view) { return view.workers.active == Workers(3) && view.driver.active; }));
  EXPECT_EQ(see("job")->metricsEndpoint, "job-driver-0.job." + ns + ".svc:9464");
  const auto pods = rig.call("GET", "/api/v1/namespaces/" + ns + "/pods?labelSelector=" +
                                        client::percentEncoded(objects::workerSelector("job")))
                        .body;
  EXPECT_EQ(parse(pods)["items"].Size(), 3u);
  EXPECT_THAT(pods, HasSubstr(R"("subdomain":"job")"));
}

TEST_F(RealClusterTest, StartsAJobWithoutADriver) {
  createAndSee("alone");
  const auto started = cluster().apply(StartJob{key("alone"), Workers(2)});
  ASSERT_TRUE(started) << started.error().message;
  EXPECT_TRUE(comesTo("alone", [](const JobView& view) { return view.workers.active == Workers(2); }));
  EXPECT_FALSE(see("alone")->driver.exists);
}

TEST_F(RealClusterTest, ScalesUpAndDownByOnePatchEach) {
  createAndSee("job");
  ASSERT_TRUE(cluster().apply(StartJob{key("job"), Workers(2)}));
  for (const int count : {6, 1, 4}) {
    ASSERT_TRUE(
        comesTo("job", [&](const JobView& view) { return view.workers.active == view.workers.desired; }));
    // The Job controller writes the status meanwhile: a conflict costs a reading and another try.
    const auto scaled = cluster().apply(ScaleWorkers{key("job"), Workers(0), Workers(count)});
    ASSERT_TRUE(scaled) << scaled.error().message;
    EXPECT_TRUE(comesTo("job", [&](const JobView& view) { return view.workers.active == Workers(count); }));
    const int before = patches;
    ASSERT_TRUE(cluster().apply(ScaleWorkers{key("job"), Workers(0), Workers(count)}));
    EXPECT_EQ(patches, before);
  }
}

TEST_F(RealClusterTest, SuspendsAndStartsAgainWithAnotherNumber) {
  createAndSee("job", kDriver);
  ASSERT_TRUE(cluster().apply(StartJob{key("job"), Workers(3)}));
  ASSERT_TRUE(comesTo("job", [](const JobView& view) { return view.workers.active == Workers(3); }));
  ASSERT_TRUE(cluster().apply(SuspendJob{key("job")}));
  EXPECT_TRUE(comesTo("job", [](const JobView& view) {
    return view.workers.suspended && view.workers.active == Workers(0) && !view.driver.active;
  }));
  const auto started = cluster().apply(StartJob{key("job"), Workers(5)});
  ASSERT_TRUE(started) << started.error().message;
  EXPECT_TRUE(comesTo("job", [](const JobView& view) {
    return !view.workers.suspended && view.workers.active == Workers(5) && view.driver.active;
  }));
}

TEST_F(RealClusterTest, TheGarbageCollectorTakesTheChildren) {
  createAndSee("job", kDriver);
  ASSERT_TRUE(cluster().apply(StartJob{key("job"), Workers(1)}));
  ASSERT_EQ(rig.call("GET", childPath("job-driver")).status, 200);
  ASSERT_TRUE(rig.api().remove({client::kTrainingJobs, ns, "job"}, see("job")->job.uid));
  EXPECT_TRUE(eventually([&] {
    return rig.call("GET", childPath("job-driver")).status == 404 &&
           rig.call("GET", childPath("job-workers")).status == 404 &&
           rig.call("GET", "/api/v1/namespaces/" + ns + "/services/job").status == 404;
  }));
}

TEST_F(RealClusterTest, DeletesAJobWithAllThatIsIts) {
  createAndSee("job", kDriver);
  ASSERT_TRUE(cluster().apply(StartJob{key("job"), Workers(1)}));
  const auto deleted = cluster().apply(DeleteJob{key("job")});
  ASSERT_TRUE(deleted) << deleted.error().message;
  EXPECT_TRUE(eventually([&] {
    return rig.call("GET", childPath("job-driver")).status == 404 &&
           rig.call("GET", childPath("job-workers")).status == 404;
  }));
}

TEST_F(RealClusterTest, AChildThatTheServerRejectsIsExplained) {
  auto text = manifest("job");
  const std::string image = R"("image":"trainer:1")";
  text.replace(text.find(image), image.size(), image + R"(,"imagePullPolicy":"Sometimes")");
  ASSERT_EQ(post(text).status, 201);
  ASSERT_TRUE(comesTo("job", [](const JobView&) { return true; }));
  EXPECT_EQ(cluster().apply(StartJob{key("job"), Workers(1)}).error().kind, ErrorKind::Invalid);
  EXPECT_THAT(see("job")->refusal.value_or(""), HasSubstr("imagePullPolicy"));
}

TEST_F(RealClusterTest, AMistypedFieldOfATemplateIsRefusedByItsName) {
  auto text = manifest("job");
  const std::string image = R"("image":"trainer:1")";
  text.replace(text.find(image), image.size(), image + R"(,"imagePullPolicyy":"Always")");
  ASSERT_EQ(post(text).status, 201);
  ASSERT_TRUE(comesTo("job", [](const JobView&) { return true; }));
  EXPECT_EQ(cluster().apply(StartJob{key("job"), Workers(1)}).error().kind, ErrorKind::Invalid);
  EXPECT_THAT(see("job")->refusal.value_or(""),
              HasSubstr("unknown field \"spec.template.spec.containers[0].imagePullPolicyy\""));
}

TEST_F(RealClusterTest, StatusComesBackAsItWasWritten) {
  createAndSee("job");
  const Time moment = *parseRfc3339("2026-01-31T12:00:00Z");
  JobStatus status;
  status.state = JobState::Running;
  set(status.conditions, {ConditionType::Ready, Truth::True, "Trains", "All is well.", moment, 1});
  set(status.conditions, {ConditionType::Stalled, Truth::True, "Failed", "It broke.", moment, 1});
  status.observedGeneration = 1;
  status.started = moment;
  status.replicas = Workers(3);
  status.ready = Workers(2);
  status.desired = Workers(4);
  status.progress = Progress{Iterations(120), Loss(0.1234), 0.25, Seconds(90), "Sublinear", Loss(0.1)};
  status.decision = Decision{Workers(4), Cores(2000), 0.0123,     0.00041,    "Largest gain.",
                             moment,     0.0002,      Loss(0.12), Cores(1500)};
  auto written = cluster().writeStatus(key("job"), see("job")->job.uid, status);
  ASSERT_TRUE(written) << written.error().message;
  EXPECT_EQ(see("job")->status, status);
  EXPECT_THAT(rig.call("GET", jobsPath() + "/job").body,
              HasSubstr("It broke. (https://docs/conditions.md#failed)"));
  // There is nothing to read where the scheduler decides.
  rig.call("PATCH", jobsPath() + "/job/scale", "application/merge-patch+json", R"({"spec":{"replicas":3}})");
  const auto scale = parse(rig.call("GET", jobsPath() + "/job/scale").body);
  EXPECT_EQ(intAt(scale, {"spec", "replicas"}), 3);
  EXPECT_EQ(intAt(scale, {"status", "replicas"}), 3);
  EXPECT_EQ(stringAt(scale, {"status", "selector"}), objects::workerSelector("job"));

  status.progress->forecastFinal.reset();
  status.decision->price.reset();
  status.decision->forecast.reset();
  status.decision->workerCpu.reset();
  written = cluster().writeStatus(key("job"), see("job")->job.uid, status);
  ASSERT_TRUE(written) << written.error().message;
  EXPECT_EQ(see("job")->status, status);

  status.state = JobState::Complete;
  status.completed = moment;
  status.progress.reset();
  status.decision.reset();
  written = cluster().writeStatus(key("job"), see("job")->job.uid, status);
  ASSERT_TRUE(written) << written.error().message;
  EXPECT_THAT(rig.call("GET", jobsPath() + "/job").body, testing::Not(HasSubstr("progress\"")));
  EXPECT_EQ(see("job")->status, status);
}

TEST_F(RealClusterTest, StatusOfAJobMadeAgainIsNotOverwritten) {
  createAndSee("job");
  JobStatus status;
  status.state = JobState::Running;
  // Our view is the old one: the connection's watch is gone, and another of the same name is made.
  const client::Target target{client::kTrainingJobs, ns, "job"};
  cluster::Store store;
  client::Api& api = rig.api();
  events::EventRecorder events(api, rig.clock());
  cluster::KubeCluster late(api, store, events, rig.clock());
  store.updateJob(*api.get(target));
  const std::string uid = see("job")->job.uid;
  ASSERT_TRUE(api.remove(target, uid));
  create("job");
  EXPECT_EQ(late.writeStatus(key("job"), uid, status).error().kind, ErrorKind::Conflict);
  EXPECT_EQ(at(*api.get(target), {"status"}), nullptr);
}

TEST_F(RealClusterTest, CountsEventsOfTheSameReasonInOne) {
  createAndSee("job");
  for (int i = 0; i < 3; ++i) cluster().record(key("job"), {true, "NoLoss", "None was read."});
  EXPECT_TRUE(eventually([&] {
    const auto events = parse(rig.call("GET", "/api/v1/namespaces/" + ns + "/events").body);
    return events["items"].Size() == 1 && intAt(events["items"][0], {"count"}) == 3 &&
           stringAt(events["items"][0], {"involvedObject", "name"}) == "job" &&
           stringAt(events["items"][0], {"message"}) == "None was read. (https://docs/conditions.md#noloss)";
  }));
}

class RealLostLeaseTest : public RealClusterTest {
 protected:
  cluster::ConnectionOptions options() const override {
    cluster::ConnectionOptions options = RealClusterTest::options();
    options.pause = [](Seconds) { return false; };  // as the controller has it
    options.mayWrite = [this] { return leads.load(); };
    return options;
  }

  std::atomic<bool> leads{true};
};

TEST_F(RealLostLeaseTest, NothingIsWrittenOnceTheLeaseIsLost) {
  createAndSee("job");
  leads = false;
  EXPECT_EQ(cluster().apply(StartJob{key("job"), Workers(2), {}}).error().kind, ErrorKind::Conflict);
  JobStatus status;
  status.state = JobState::Running;
  EXPECT_EQ(cluster().writeStatus(key("job"), see("job")->job.uid, status).error().kind, ErrorKind::Conflict);
  EXPECT_EQ(rig.call("GET", childPath("job-workers")).status, 404);
  EXPECT_EQ(at(parse(rig.call("GET", jobsPath() + "/job").body), {"status"}), nullptr);
  leads = true;
  EXPECT_TRUE(cluster().apply(StartJob{key("job"), Workers(2), {}}));
}

class RealElectionTest : public RealTest {
 protected:
  std::unique_ptr<leader::Election> join(const std::string& name) {
    // Longer than a busy machine may stand still. The rules are tried in virtual time elsewhere.
    return std::make_unique<leader::Election>(*api, client::Target{client::kLeases, ns, "slaq"}, name,
                                              rig.clock(),
                                              leader::LeaseTimes{Seconds(60), Seconds(45), Seconds(0.2)});
  }

  std::unique_ptr<client::Api> api = [] {
    client::ApiOptions options;
    options.tries = 1;
    auto& rig = Rig::instance();
    return rig.up() ? std::make_unique<client::Api>(rig.http(), options) : nullptr;
  }();
};

TEST_F(RealElectionTest, ASecondCandidateLeadsWhenTheFirstReleases) {
  auto first = join("first");
  ASSERT_TRUE(eventually([&] { return first->leading(); }));
  auto second = join("second");
  const client::Target lease{client::kLeases, ns, "slaq"};
  const auto version = [&] { return stringAt(*api->get(lease), {"metadata", "resourceVersion"}); };
  const std::string before = version();
  ASSERT_TRUE(eventually([&] { return version() != before; }));  // it was renewed with both there
  EXPECT_TRUE(first->leading());
  EXPECT_FALSE(second->leading());
  first->release();
  EXPECT_FALSE(first->leading());
  EXPECT_TRUE(eventually([&] { return second->leading(); }));
  EXPECT_EQ(stringAt(*api->get(lease), {"spec", "holderIdentity"}), "second");
}

TEST_F(RealElectionTest, ADeletedLeaseIsMadeAgainByItsHolder) {
  auto holder = join("holder");
  ASSERT_TRUE(eventually([&] { return holder->leading(); }));
  const client::Target lease{client::kLeases, ns, "slaq"};
  ASSERT_TRUE(api->remove(lease, stringAt(*api->get(lease), {"metadata", "uid"})));
  EXPECT_TRUE(eventually([&] {
    const auto found = api->get(lease);
    return found && stringAt(*found, {"spec", "holderIdentity"}) == "holder" && holder->leading();
  }));
}

}  // namespace
}  // namespace slaq::kube
