#include "kube/targets/targets.h"

#include <gmock/gmock.h>

#include "kube/support/json.h"

namespace slaq::kube::targets {
namespace {

using testing::HasSubstr;
using testing::Optional;

constexpr const char* kTemplate =
    "'template':{'spec':{'containers':[{'name':'main','image':'train:1','resources':{'requests':{'cpu':'500m'"
    "}}}]}}";

std::string deployment(int replicas, int version, const std::string& manager = "kubectl") {
  return "{'metadata':{'name':'train','namespace':'a','uid':'u1','resourceVersion':'" +
         std::to_string(version) +
         "','managedFields':[{'manager':'kcm','subresource':'status','fieldsV1':{'f:status':{}}},{'manager':'"
         "helm',"
         "'fieldsV1':{'f:spec':{'f:template':{}}}},{'manager':'" +
         manager + "','subresource':'scale','fieldsV1':{'f:spec':{'f:replicas':{}}}}]},'spec':{'replicas':" +
         std::to_string(replicas) + "," + kTemplate + "},'status':{'replicas':2,'readyReplicas':1}}";
}

std::string job(const std::string& spec, const std::string& status = "") {
  return std::string(
             "{'metadata':{'name':'train','namespace':'a','uid':'u2','resourceVersion':'5'},'spec':{") +
         spec + "," + kTemplate + "},'status':{" + status + "}}";
}

std::string pods(const std::string& cpu) {
  return "'template':{'spec':{'containers':[{'name':'main','image':'i','resources':{'requests':{'cpu':'" +
         cpu + "'}}}]}}";
}

// A head, two small workers and three large ones, of which two are ready.
std::string rayCluster(const std::string& spec) {
  return "{'metadata':{'name':'train','namespace':'a','uid':'u3','resourceVersion':'7'},'spec':{" + spec +
         "'headGroupSpec':{" + pods("1") +
         "},'workerGroupSpecs':[{'groupName':'small','replicas':2,'minReplicas':0,'maxReplicas':4," +
         pods("500m") +
         "},{'groupName':'large','replicas':3,'minReplicas':2,'maxReplicas':6,'numOfHosts':1," + pods("2") +
         "}]},'status':{'availableWorkerReplicas':5,'readyWorkerReplicas':4,'conditions':[{'type':'"
         "HeadPodReady',"
         "'status':'True'}]}}";
}

// A leader and three workers.
std::string jobSet(const std::string& group) {
  const auto replicated = [](const std::string& name, const std::string& more, int size) {
    const std::string pods = std::to_string(size);
    return "{'name':'" + name + "'," + more +
           "'template':{'spec':{'completionMode':'Indexed','parallelism':" + pods + ",'completions':" + pods +
           "," + kTemplate + "}}}";
  };
  return "{'metadata':{'name':'train','namespace':'a','uid':'u4','resourceVersion':'8'},'spec':{"
         "'replicatedJobs':[" +
         replicated("leader", "", 1) + "," + replicated("workers", group, 3) + "]}}";
}

std::string jobOf(const std::string& group, const std::string& status) {
  return "{'metadata':{'name':'train-" + group + "-0','namespace':'a','uid':'" + group +
         "','resourceVersion':'9','labels':{'jobset.sigs.k8s.io/jobset-name':'train',"
         "'jobset.sigs.k8s.io/replicatedjob-name':'" +
         group + "'}},'status':{" + status + "}}";
}

// Takes every patch, with these resource versions. Where `size` is given, an admission webhook puts it in
// place of the size in the patch.
class Taking : public http::HttpClient {
 public:
  Result<http::HttpResponse> send(const http::HttpRequest&) override {
    http::HttpResponse response;
    response.status = status;
    response.body = quoted("{'metadata':{'resourceVersion':'" + std::to_string(++version) + "'}" +
                           (size ? ",'spec':{'replicas':" + std::to_string(*size) + "}" : "") + "}");
    beforeAnswer();
    return response;
  }
  Result<http::HttpResponse> stream(const http::HttpRequest&, const std::function<bool(const std::string&)>&,
                                    std::stop_token) override {
    return failure(ErrorKind::Transient, "nothing to watch");
  }

  int status = 200;
  int version = 100;
  std::optional<int> size;
  std::function<void()> beforeAnswer = [] {};
};

class TargetsTest : public testing::Test {
 protected:
  void list(std::size_t kind, const std::vector<std::string>& objects) {
    auto& sink = *targets.watched()[kind].sink;
    sink.beginList();
    for (const auto& each : objects) sink.upsert(jsonOf(each));
    sink.endList("100");
  }

  // The view of a job that names this target.
  JobView describe(const std::string& kind, const std::string& apiVersion = "apps/v1") {
    ClusterView view;
    view.jobs.push_back(viewOf("j", kind, apiVersion));
    targets.describe(view);
    return view.jobs.front();
  }

  static JobView viewOf(const std::string& name, const std::string& kind, const std::string& apiVersion) {
    JobView view;
    view.job.key = {"a", name};
    view.job.generation = 1;
    view.job.spec.workers.target = TargetRef{apiVersion, kind, "train"};
    return view;
  }

  Targets targets{{*targetKind("Deployment"), *targetKind("Job")}, "cpu"};
};

TEST_F(TargetsTest, ShowTheSizeAndThePodsOfADeployment) {
  list(0, {deployment(3, 10)});
  const auto view = describe("Deployment");
  EXPECT_EQ(view.refusal, std::nullopt);
  EXPECT_TRUE(runs(view.workers));
  EXPECT_EQ(view.workers.desired, Workers(3));
  EXPECT_EQ(view.workers.active, Workers(2));
  EXPECT_EQ(view.workers.ready, Workers(1));
  EXPECT_EQ(coresOf(view.job.spec.workers.pod), Cores(500));
}

TEST_F(TargetsTest, ShowTheEndOfAJob) {
  list(1, {job("'completionMode':'Indexed','parallelism':2,'completions':2",
               "'conditions':[{'type':'Complete','status':'True'}]")});
  EXPECT_TRUE(describe("Job", "batch/v1").workers.succeeded);
  list(1, {job("'completionMode':'Indexed','parallelism':2,'completions':2",
               "'conditions':[{'type':'Failed','status':'True','message':'too often'}]")});
  EXPECT_THAT(describe("Job", "batch/v1").workers.failed, Optional(std::string("too often")));
}

TEST_F(TargetsTest, SayWhyAnObjectCannotBeSized) {
  EXPECT_THAT(describe("Deployment").refusal, Optional(HasSubstr("has not listed its deployments")));
  list(0, {});
  EXPECT_THAT(describe("Deployment").refusal, Optional(std::string("there is no Deployment a/train")));
  EXPECT_THAT(describe("StatefulSet").refusal,
              Optional(HasSubstr("it allows Deployment of apps/v1, Job of batch/v1")));
  list(0, {deployment(0, 11)});
  EXPECT_THAT(describe("Deployment").refusal,
              Optional(HasSubstr("has no workers, and slaq does not start it")));
  list(1, {job("'completionMode':'Indexed','parallelism':2,'completions':2,'suspend':true")});
  EXPECT_THAT(describe("Job", "batch/v1").refusal, Optional(HasSubstr("is suspended")));
  list(1, {job("'completionMode':'Indexed','parallelism':2,'completions':9")});
  EXPECT_THAT(describe("Job", "batch/v1").refusal, Optional(HasSubstr("has to be an Indexed Job")));
}

TEST_F(TargetsTest, LabelTheirPodsWhereTheCapacityFollowsTheNodes) {
  Targets onNodes({*targetKind("Deployment")}, "cpu", true);
  const auto refusalOf = [&](const std::string& object) {
    auto* sink = onNodes.watched().front().sink;
    sink->beginList();
    sink->upsert(jsonOf(object));
    sink->endList("1");
    ClusterView view;
    view.jobs.push_back(viewOf("j", "Deployment", "apps/v1"));
    onNodes.describe(view);
    return view.jobs.front().refusal;
  };
  EXPECT_THAT(refusalOf(deployment(3, 10)),
              Optional(HasSubstr("has to give its pods the label slaq.io/job: j")));
  std::string object = deployment(3, 11);
  const std::string pods = "'template':{";
  object.insert(object.find(pods) + pods.size(), "'metadata':{'labels':{'slaq.io/job':'j'}},");
  EXPECT_EQ(refusalOf(object), std::nullopt);
}

TEST_F(TargetsTest, AreSizedByTheOldestTrainingJobThatIsNotOver) {
  list(0, {deployment(3, 10)});
  ClusterView view;
  for (const char* name : {"a", "b", "c"}) view.jobs.push_back(viewOf(name, "Deployment", "apps/v1"));
  view.jobs[0].job.created = Time(Seconds(20));
  view.jobs[1].job.created = Time(Seconds(10));
  view.jobs[2].job.created = Time(Seconds(5));
  view.jobs[2].status.state = JobState::Complete;
  targets.describe(view);
  EXPECT_THAT(view.jobs[0].refusal,
              Optional(std::string("TrainingJob a/b sizes Deployment a/train already")));
  EXPECT_FALSE(view.jobs[0].workers.exists);  // its cores count once
  EXPECT_EQ(view.jobs[1].refusal, std::nullopt);
  EXPECT_TRUE(view.jobs[1].workers.exists);
  EXPECT_EQ(view.jobs[2].refusal, std::nullopt);
}

TEST_F(TargetsTest, AreNotSizedWhereSomebodyElseManagesThem) {
  const auto with = [](const std::string& metadata) {
    std::string text = deployment(3, 10);
    return text.insert(text.find("'name':'train'"), metadata + ",");
  };
  list(0, {with("'ownerReferences':[{'uid':'o','controller':true}]")});
  EXPECT_THAT(describe("Deployment").refusal, Optional(HasSubstr("belongs to another object")));
  list(0, {with("'labels':{'kueue.x-k8s.io/queue-name':'q'}")});
  EXPECT_THAT(describe("Deployment").refusal, Optional(HasSubstr("is in a queue of Kueue")));
}

TEST(PyTorchJobTarget, IsElasticAndOfWorkersAlone) {
  const auto read = [](const std::string& spec) {
    return readTarget(jsonOf("{'metadata':{'name':'t','namespace':'a'},'spec':{" + spec +
                             "'pytorchReplicaSpecs':{'Worker':{'replicas':4," + kTemplate +
                             "}}},'status':{'replicaStatuses':{'Worker':{'active':3}},'conditions':[{'type':"
                             "'Succeeded','status':'True'}]}}"),
                      *targetKind("PyTorchJob"), "cpu");
  };
  const Target elastic = read("'elasticPolicy':{'maxReplicas':8},");
  const WorkerGroup& workers = elastic.groups.front();
  EXPECT_EQ(workers.inelastic, std::nullopt);
  EXPECT_EQ(workers.desired, Workers(4));
  EXPECT_EQ(workers.max, Workers(8));
  EXPECT_EQ(workers.pods.ready, Workers(3));
  EXPECT_TRUE(elastic.complete);
  EXPECT_EQ(coresOf(workers.pod), Cores(500));
  const auto why = [&](const std::string& spec) { return read(spec).groups.front().inelastic; };
  EXPECT_THAT(why(""), Optional(HasSubstr("needs spec.elasticPolicy")));
  EXPECT_THAT(why("'elasticPolicy':{'metrics':[]},"), Optional(HasSubstr("an autoscaler sizes it")));
  const auto withMaster =
      jsonOf("{'spec':{'elasticPolicy':{},'pytorchReplicaSpecs':{'Master':{},'Worker':{}}}}");
  EXPECT_THAT(readTarget(withMaster, *targetKind("PyTorchJob"), "cpu").groups.front().inelastic,
              Optional(HasSubstr("has a Master")));
}

TEST_F(TargetsTest, AreSizedByOnePatchOfWhatWasRead) {
  const auto patch = [](const std::string& object, const char* kind, const std::string& group = "") {
    const Target target = readTarget(jsonOf(object), *targetKind(kind), "cpu");
    return sizePatch(target, *groupOf(target, group), *targetKind(kind), Workers(5));
  };
  const auto add = [](const std::string& path, const std::string& value) {
    return "{'op':'add','path':'" + path + "','value':" + value + "}";
  };
  EXPECT_EQ(patch(deployment(3, 10), "Deployment"),
            quoted("[" + add("/metadata/uid", "'u1'") + "," + add("/metadata/resourceVersion", "'10'") + "," +
                   add("/spec/replicas", "5") + "]"));
  EXPECT_EQ(patch(job("'parallelism':2"), "Job"),
            quoted("[" + add("/metadata/uid", "'u2'") + "," + add("/metadata/resourceVersion", "'5'") + "," +
                   add("/spec/parallelism", "5") + "," + add("/spec/completions", "5") + "]"));
  EXPECT_EQ(patch(rayCluster(""), "RayCluster", "large"),
            quoted("[" + add("/metadata/uid", "'u3'") + "," + add("/metadata/resourceVersion", "'7'") + "," +
                   add("/spec/workerGroupSpecs/1/replicas", "5") + "]"));
}

TEST(LeaderWorkerSetTarget, CostsAllPodsOfAGroup) {
  const auto set = [](const std::string& more) {
    return "{'metadata':{'name':'train','namespace':'a','uid':'u5','resourceVersion':'3'},'spec':{'replicas':"
           "2,"
           "'leaderWorkerTemplate':{'size':4,'worker" +
           std::string(
               "Template':{'spec':{'containers':[{'name':'main','image':'i','resources':{'requests':{'cpu':'"
               "500m'}}}]}}") +
           more + "}},'status':{'replicas':2,'readyReplicas':1}}";
  };
  const auto costOf = [&](const std::string& more) {
    const Target target = readTarget(jsonOf(set(more)), *targetKind("LeaderWorkerSet"), "cpu");
    EXPECT_EQ(target.groups.front().desired, Workers(2));
    EXPECT_EQ(target.groups.front().pods.ready, Workers(1));
    return coresOf(target.groups.front().pod);
  };
  EXPECT_EQ(costOf(""), Cores(2000));
  EXPECT_EQ(costOf(",'leaderTemplate':{'spec':{'containers':[{'name':'main','image':'i','resources':{'"
                   "requests':{'cpu':'2'}}}]}}"),
            Cores(3500));
}

// Its head and its other groups hold cores that are not the workers'.
// Pods that do not run hold no cores of other jobs.
TEST(RayClusterTarget, CountsPodsThatRunAlone) {
  auto text = rayCluster("");
  text.replace(text.find("'replicas':2"), 12, "'replicas':2000000");
  text.replace(text.find("'True'"), 6, "'False'");
  const Target cluster = readTarget(jsonOf(text), *targetKind("RayCluster"), "cpu");
  EXPECT_LE(groupOf(cluster, "large")->others, Cores(5 * 500));
  EXPECT_EQ(groupOf(cluster, "large")->pods.ready, Workers(0));
  EXPECT_LE(groupOf(cluster, "small")->pods.ready, Workers(4));
}

TEST(RayClusterTarget, HasNotHundredsOfGroups) {
  std::string groups;
  for (int i = 0; i < 101; ++i)
    groups += (i == 0 ? "" : ",") + std::string("{'groupName':'") + std::to_string(i) + "','replicas':1," +
              pods("1") + "}";
  const Target cluster =
      readTarget(jsonOf("{'spec':{'workerGroupSpecs':[" + groups + "]}}"), *targetKind("RayCluster"), "cpu");
  EXPECT_EQ(cluster.groups.size(), 100u);
  EXPECT_THAT(groupOf(cluster, "7")->inelastic, Optional(HasSubstr("more than 100 groups of workers")));
}

TEST(RayClusterTarget, HasNoTwoGroupsOfOneName) {
  auto text = rayCluster("");
  text.replace(text.find("'small'"), 7, "'large'");
  const Target cluster = readTarget(jsonOf(text), *targetKind("RayCluster"), "cpu");
  EXPECT_THAT(groupOf(cluster, "large")->inelastic, Optional(HasSubstr("two groups of workers named large")));
}

// KubeRay does so at the end of a RayJob with the deletion rule DeleteWorkers.
TEST(RayClusterTarget, MaySuspendOneGroup) {
  auto text = rayCluster("");
  text.replace(text.find("'groupName':'large'"), 19, "'groupName':'large','suspend':true");
  const Target cluster = readTarget(jsonOf(text), *targetKind("RayCluster"), "cpu");
  EXPECT_THAT(groupOf(cluster, "large")->inelastic,
              Optional(HasSubstr("has suspended this group of workers")));
  EXPECT_EQ(groupOf(cluster, "small")->inelastic, std::nullopt);
  EXPECT_EQ(groupOf(cluster, "small")->pods.ready, Workers(2)) << "none of the four is of the other group";
}

TEST(RayClusterTarget, HasGroupsAndAHead) {
  const Target cluster = readTarget(jsonOf(rayCluster("")), *targetKind("RayCluster"), "cpu");
  const WorkerGroup& large = *groupOf(cluster, "large");
  EXPECT_EQ(large.desired, Workers(3));
  EXPECT_EQ(large.pods.ready, Workers(2));
  EXPECT_EQ(large.min, Workers(2));
  EXPECT_EQ(large.max, Workers(6));
  EXPECT_EQ(large.others, Cores(1000 + 500));  // of two small workers, it can tell that one is ready
  EXPECT_EQ(groupOf(cluster, ""), nullptr);
  EXPECT_EQ(groupOf(cluster, "huge"), nullptr);
  const auto why = [](const std::string& spec) {
    const Target other = readTarget(jsonOf(rayCluster(spec)), *targetKind("RayCluster"), "cpu");
    return other.groups[0].inelastic;
  };
  EXPECT_EQ(why("'enableInTreeAutoscaling':false,"), std::nullopt);
  EXPECT_THAT(why("'enableInTreeAutoscaling':true,"), Optional(HasSubstr("by which Ray sizes it")));
}

class GroupsTest : public testing::Test {
 protected:
  static void list(watch::ObjectSink& sink, const std::vector<std::string>& objects) {
    sink.beginList();
    for (const auto& each : objects) sink.upsert(jsonOf(each));
    sink.endList("100");
  }

  JobView describe(const std::string& kind, const std::string& apiVersion, const std::string& group,
                   int most = 8) {
    ClusterView view;
    view.jobs.emplace_back().job.key = {"a", "j"};
    auto& workers = view.jobs.front().job.spec.workers;
    workers.max = Workers(most);
    workers.target = TargetRef{apiVersion, kind, "train", group};
    targets.describe(view);
    return view.jobs.front();
  }

  Targets targets{{*targetKind("JobSet"), *targetKind("RayCluster")}, "cpu"};
  std::vector<Targets::Watched> watched = targets.watched();  // JobSets, their Jobs, RayClusters
};

TEST_F(GroupsTest, AreNeeded) {
  list(*watched[2].sink, {"{'metadata':{'name':'train','namespace':'a'},'spec':{'workerGroupSpecs':[]}}"});
  EXPECT_THAT(describe("RayCluster", "ray.io/v1", "").refusal,
              Optional(std::string("RayCluster a/train has no workers")));
}

TEST_F(GroupsTest, AreNamedWhereThereAreSeveral) {
  list(*watched[2].sink, {rayCluster("")});
  EXPECT_THAT(describe("RayCluster", "ray.io/v1", "").refusal,
              Optional(HasSubstr("name one of small, large in spec.workers.targetRef.group")));
  EXPECT_THAT(describe("RayCluster", "ray.io/v1", "huge").refusal,
              Optional(HasSubstr("has no group huge; it has small, large")));
  const auto view = describe("RayCluster", "ray.io/v1", "large");
  EXPECT_EQ(view.refusal, std::nullopt);
  EXPECT_EQ(view.job.spec.workers.min, Workers(2));
  EXPECT_EQ(view.job.spec.workers.max, Workers(6));
  EXPECT_EQ(coresOf(*view.job.spec.driver), Cores(1500));
  EXPECT_TRUE(view.driver.ready);
  EXPECT_THAT(describe("RayCluster", "ray.io/v1", "large", 1).refusal,
              Optional(HasSubstr("itself allows from 2 to 6 workers, and the TrainingJob none of these")));
}

class RayJobTest : public GroupsTest {
 protected:
  RayJobTest() {
    targets_.emplace(std::vector{*targetKind("RayCluster"), *targetKind("RayJob")}, "cpu");
    watched_ = targets_->watched();
    for (auto& each : watched_) list(*each.sink, {});
  }

  static std::string madeFor(const std::string& owner, const std::string& name, const std::string& uid,
                             int version, int replicas, const std::string& more) {
    auto text = rayCluster("");
    const auto replace = [&](const std::string& what, const std::string& by) {
      text.replace(text.find(what), what.size(), by);
    };
    replace("'name':'train'", owner + "'name':'" + name + "'" + more);
    replace("'u3'", "'" + uid + "'");
    replace("'resourceVersion':'7'", "'resourceVersion':'" + std::to_string(version) + "'");
    replace("'replicas':3", "'replicas':" + std::to_string(replicas));
    return text;
  }

  // A cluster that KubeRay made for the RayJob "train".
  static std::string cluster(const std::string& name, const std::string& uid, int version, int replicas = 3,
                             const std::string& more = "") {
    return madeFor("'ownerReferences':[{'kind':'RayJob','name':'train','uid':'r','controller':true}],", name,
                   uid, version, replicas, more);
  }

  void comes(const std::string& cluster) {
    for (auto& each : watched_) {
      if (each.resource.plural == "rayclusters") each.sink->upsert(jsonOf(cluster));
    }
  }

  void goes(const std::string& cluster) {
    for (auto& each : watched_) {
      if (each.resource.plural == "rayclusters") each.sink->remove(jsonOf(cluster));
    }
  }

  // The status of the RayJob "train".
  void rayJobIs(int version, const std::string& status, const std::string& metadata = "'uid':'r'") {
    for (auto& each : watched_) {
      if (each.resource.plural != "rayjobs") continue;
      each.sink->upsert(jsonOf("{'metadata':{'namespace':'a','name':'train'," + metadata +
                               ",'resourceVersion':'" + std::to_string(version) + "'},'status':{" + status +
                               "}}"));
    }
  }

  JobView described(const std::string& kind, const std::string& name, JobState state = JobState::Pending) {
    ClusterView view;
    view.jobs.emplace_back().job.key = {"a", "j"};
    view.jobs.front().status.state = state;
    auto& workers = view.jobs.front().job.spec.workers;
    workers.max = Workers(8);
    workers.target = TargetRef{"ray.io/v1", kind, name, "large"};
    targets_->describe(view);
    return view.jobs.front();
  }

  std::optional<Targets> targets_;
  std::vector<Targets::Watched> watched_;
};

TEST_F(RayJobTest, IsSizedByTheClusterThatWasMadeForIt) {
  EXPECT_THAT(described("RayJob", "train").refusal, Optional(std::string("there is no RayJob a/train")));
  comes(cluster("train-x7k2p", "u3", 7));
  EXPECT_EQ(described("RayJob", "train").refusal, std::nullopt);
  EXPECT_EQ(described("RayJob", "train").workers.desired, Workers(3));
  EXPECT_THAT(described("RayJob", "train-x7k2p").refusal, Optional(HasSubstr("there is no RayJob")));
  EXPECT_THAT(described("RayCluster", "train-x7k2p").refusal,
              Optional(HasSubstr("belongs to another object")));
}

TEST_F(RayJobTest, IsNoClusterThatAUserMade) {
  comes(rayCluster(""));
  EXPECT_THAT(described("RayJob", "train").refusal, Optional(HasSubstr("there is no RayJob a/train")));
  EXPECT_EQ(described("RayCluster", "train").refusal, std::nullopt);
}

// KubeRay may have deleted the cluster by then.
TEST_F(RayJobTest, EndsWithTheRayJob) {
  rayJobIs(1, "'jobDeploymentStatus':'Retrying','message':'exit code 1'");
  comes(cluster("train-x7k2p", "u3", 7));
  EXPECT_FALSE(described("RayJob", "train").driver.failed);
  rayJobIs(2, "'jobDeploymentStatus':'Failed','message':'exit code 1, last logs:\\nTraceback'");
  EXPECT_EQ(described("RayJob", "train").driver.failed, "exit code 1, last logs:");
  EXPECT_EQ(described("RayJob", "train").workers.failed, "exit code 1, last logs:");
  goes(cluster("train-x7k2p", "u3", 9));
  EXPECT_EQ(described("RayJob", "train").workers.failed, "exit code 1, last logs:");
  EXPECT_EQ(described("RayJob", "train").refusal, std::nullopt);
  rayJobIs(3, "'jobDeploymentStatus':'Complete','jobStatus':'SUCCEEDED'");
  EXPECT_TRUE(described("RayJob", "train").workers.succeeded);
  rayJobIs(4, "'jobDeploymentStatus':'Complete','jobStatus':'STOPPED'");
  EXPECT_FALSE(described("RayJob", "train").workers.succeeded);
  EXPECT_EQ(described("RayJob", "train").workers.failed, "the RayJob ended as STOPPED");
}

TEST_F(RayJobTest, SaysWhyThereIsNoCluster) {
  rayJobIs(1, "'jobDeploymentStatus':'ValidationFailed','message':'no entrypoint'");
  EXPECT_THAT(described("RayJob", "train").refusal,
              Optional(std::string(
                  "RayJob a/train has none of its rayclusters yet; it is ValidationFailed: no entrypoint")));
}

// The watch of RayJobs may still show the one before, whose name another one has now.
TEST_F(RayJobTest, DoesNotEndWithAnotherRayJobOfItsName) {
  const std::string ended = "'jobDeploymentStatus':'Complete','jobStatus':'SUCCEEDED'";
  rayJobIs(1, ended, "'uid':'before'");
  comes(cluster("train-x7k2p", "u3", 7));
  EXPECT_FALSE(described("RayJob", "train").workers.succeeded);
  goes(cluster("train-x7k2p", "u3", 8));
  rayJobIs(2, ended, "'uid':'before','deletionTimestamp':'2026-01-01T00:00:00Z'");
  EXPECT_FALSE(described("RayJob", "train").workers.succeeded);
}

// KubeRay keeps the cluster at the end of a RayJob, unless the RayJob says otherwise.
TEST_F(RayJobTest, ShowsWhatItStillHoldsAfterItsEnd) {
  rayJobIs(1, "'jobDeploymentStatus':'Complete','jobStatus':'SUCCEEDED'");
  comes(cluster("train-x7k2p", "u3", 7));
  const auto view = described("RayJob", "train", JobState::Complete);
  EXPECT_EQ(view.refusal, std::nullopt);
  EXPECT_EQ(view.workers.ready, Workers(2));
  EXPECT_EQ(coresOf(view.job.spec.workers.pod), Cores(2000));
}

// KubeRay has made another one before the first is gone.
TEST_F(RayJobTest, IsTheClusterThatRunsAfterAnotherTry) {
  const std::string leaves = ",'deletionTimestamp':'2026-01-01T00:00:00Z'";
  comes(cluster("train-aaaaa", "u3", 7, 3, leaves));
  comes(cluster("train-bbbbb", "u4", 8, 4));
  EXPECT_EQ(described("RayJob", "train").workers.desired, Workers(4));
  goes(cluster("train-aaaaa", "u3", 9, 3, leaves));
  EXPECT_EQ(described("RayJob", "train").workers.desired, Workers(4));
}

// The status of a JobSet has Jobs, and these have the pods.
TEST_F(GroupsTest, OfJobSetsAreCountedByTheirJobs) {
  EXPECT_EQ(watched[1].selector.labels, "jobset.sigs.k8s.io/jobset-name");
  list(*watched[0].sink, {jobSet("'replicas':1,")});
  EXPECT_THAT(describe("JobSet", "jobset.x-k8s.io/v1alpha2", "workers").refusal,
              Optional(HasSubstr("has not listed its jobsets")));
  list(*watched[1].sink,
       {jobOf("leader", "'active':1,'ready':1"), jobOf("workers", "'active':3,'ready':2,'terminating':1")});
  const auto view = describe("JobSet", "jobset.x-k8s.io/v1alpha2", "workers");
  EXPECT_EQ(view.refusal, std::nullopt);
  EXPECT_EQ(view.workers.desired, Workers(3));
  EXPECT_EQ(view.workers.active, Workers(3));
  EXPECT_EQ(view.workers.ready, Workers(2));
  EXPECT_EQ(view.workers.terminating, Workers(1));
  EXPECT_EQ(coresOf(*view.job.spec.driver), Cores(500));
  list(*watched[0].sink, {jobSet("'replicas':2,")});
  EXPECT_THAT(describe("JobSet", "jobset.x-k8s.io/v1alpha2", "workers").refusal,
              Optional(HasSubstr("has 2 in /spec/replicatedJobs/1/replicas")));
}

// The kinds RayCluster and RayJob watch the same objects, and each change of one is one change all the same.
class UndoneOfRayTest : public RayJobTest {
 protected:
  // As often as that slaq asks for 5 workers, and then helm sets 3. Returns why slaq refuses then.
  std::optional<std::string> refusalAfter(
      int times, const std::string& kind,
      const std::function<std::string(int, int, const std::string&)>& made) {
    const auto by = [](const std::string& manager) {
      return ",'managedFields':[{'manager':'" + manager +
             "','fieldsV1':{'f:spec':{'f:workerGroupSpecs':{}}}}]";
    };
    comes(made(server_.version, 3, by("helm")));
    for (int i = 0; i < times; ++i) {
      EXPECT_TRUE(targets_->scale(api_, described(kind, "train").job, Workers(5)));
      comes(made(server_.version + 10, 5, by("slaq-controller")));
      comes(made(server_.version += 20, 3, by("helm")));
    }
    return described(kind, "train").refusal;
  }

  Taking server_;
  client::Api api_{server_};
};

TEST_F(UndoneOfRayTest, IsLeftAloneAfterTheThirdTime) {
  const auto ofUser = [](int version, int replicas, const std::string& more) {
    return madeFor("", "train", "u3", version, replicas, more);
  };
  EXPECT_EQ(refusalAfter(2, "RayCluster", ofUser), std::nullopt);
  EXPECT_THAT(refusalAfter(1, "RayCluster", ofUser),
              Optional(HasSubstr("helm sizes RayCluster a/train too")));
}

TEST_F(UndoneOfRayTest, IsLeftAloneAfterTheThirdTimeWhereARayJobMadeIt) {
  const auto ofRayJob = [](int version, int replicas, const std::string& more) {
    return cluster("train-x7k2p", "u3", version, replicas, more);
  };
  EXPECT_EQ(refusalAfter(2, "RayJob", ofRayJob), std::nullopt);
  EXPECT_THAT(refusalAfter(1, "RayJob", ofRayJob), Optional(HasSubstr("helm sizes RayJob a/train too")));
}

class UndoneTest : public TargetsTest {
 protected:
  // slaq asks for 8 workers, and then the manager sets 2.
  void undo(const std::string& manager) {
    static_cast<void>(targets.scale(api, viewOf("j", "Deployment", "apps/v1").job, Workers(8)));
    server.version += 10;
    targets.watched()[0].sink->upsert(jsonOf(deployment(2, server.version, manager)));
  }

  Taking server;
  client::Api api{server};
};

TEST_F(UndoneTest, IsLeftAloneOnceSomebodyElseSizesItAgainAndAgain) {
  list(0, {deployment(3, 10)});
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(describe("Deployment").refusal, std::nullopt) << i;
    undo("autoscaler");
  }
  EXPECT_THAT(describe("Deployment").refusal,
              Optional(HasSubstr("autoscaler sizes Deployment a/train too; slaq leaves it alone until")));
  for (const bool isNew : {false, true}) {
    auto changed = viewOf("j", "Deployment", "apps/v1");
    (isNew ? changed.job.uid : changed.job.key.name) = "other";
    if (!isNew) changed.job.generation = 2;
    ClusterView view;
    view.jobs.push_back(changed);
    targets.describe(view);
    EXPECT_EQ(view.jobs.front().refusal, std::nullopt);
  }
}

// The watch may be ahead of the answer to slaq's own write.
TEST_F(UndoneTest, CountsAlsoWhereTheWatchTellsItFirst) {
  list(0, {deployment(3, 10)});
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(describe("Deployment").refusal, std::nullopt) << i;
    server.beforeAnswer = [&] {
      auto& sink = *targets.watched()[0].sink;
      sink.upsert(jsonOf(deployment(8, server.version, "slaq")));
      sink.upsert(jsonOf(deployment(3, server.version + 1, "autoscaler")));
    };
    static_cast<void>(targets.scale(api, viewOf("j", "Deployment", "apps/v1").job, Workers(8)));
    server.version += 10;
  }
  EXPECT_THAT(describe("Deployment").refusal, Optional(HasSubstr("autoscaler sizes Deployment a/train too")));
}

TEST_F(UndoneTest, IsLeftAloneOnceAWebhookChangesTheSizeAgainAndAgain) {
  list(0, {deployment(3, 10, "slaq")});
  server.size = 4;
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(describe("Deployment").refusal, std::nullopt) << i;
    static_cast<void>(targets.scale(api, viewOf("j", "Deployment", "apps/v1").job, Workers(8)));
    EXPECT_EQ(describe("Deployment").workers.desired, Workers(4));
  }
  EXPECT_THAT(describe("Deployment").refusal,
              Optional(HasSubstr("an admission webhook sizes Deployment a/train too; slaq leaves it alone")));
}

// Another replica led meanwhile.
TEST_F(UndoneTest, IsNotByOurselves) {
  list(0, {deployment(3, 10)});
  for (int i = 0; i < 5; ++i) undo("slaq");
  EXPECT_EQ(describe("Deployment").refusal, std::nullopt);
}

TEST_F(UndoneTest, IsNotWhatSlaqNeverDid) {
  list(0, {deployment(3, 10)});
  server.status = 403;
  for (int i = 0; i < 5; ++i) undo("somebody");
  EXPECT_EQ(describe("Deployment").refusal, std::nullopt);
}

}  // namespace
}  // namespace slaq::kube::targets
