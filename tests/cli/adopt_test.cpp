// Which TrainingJobs `slaq adopt` makes of which objects.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/adopt/adoption.h"
#include "cli/api_server.h"
#include "cli/command_line.h"
#include "kube/json/json_fields.h"
#include "manifest/object_writer.h"

namespace slaq::cli::adopt {
namespace {

using ::testing::HasSubstr;

rapidjson::Document parse(const std::string& text) { return kube::json::parseJson(text); }

std::string pods(const std::string& labels = "") {
  return R"("template":{"metadata":{"labels":{)" + labels +
         R"(}},"spec":{"containers":[{"name":"a","resources":{"requests":{"cpu":"1"}}}]}})";
}

std::string object(const std::string& spec, const std::string& more = "") {
  return R"({"metadata":{"name":"train","namespace":"n"},"spec":{)" + spec + "}" + more + "}";
}

std::optional<Candidate> candidate(const std::string& kind, const std::string& text,
                                   std::optional<Workers> most = {},
                                   const std::vector<TargetRef>& taken = {}) {
  return candidateFrom(parse(text), *targetKind(kind), most, taken);
}

TEST(Adoption, TakesTheBoundsOfTheObjectOrTwiceWhatItHas) {
  const auto deployment =
      candidate("Deployment", object(R"("replicas":3,)" + pods(R"("slaq.io/job":"train")")));
  ASSERT_TRUE(deployment && deployment->adoption);
  EXPECT_EQ(deployment->adoption->min, Workers(1));
  EXPECT_EQ(deployment->adoption->max, Workers(6));
  EXPECT_EQ(deployment->adoption->label, "train");
  EXPECT_TRUE(deployment->adoption->requestsCpu);
  EXPECT_EQ(candidate("Deployment", object(R"("replicas":3,)" + pods()), Workers(5))->adoption->max,
            Workers(5));
  const auto elastic = object(
      R"("elasticPolicy":{"minReplicas":2,"maxReplicas":4},"pytorchReplicaSpecs":{"Worker":{"replicas":2,)" +
      pods() + "}}");
  EXPECT_EQ(candidate("PyTorchJob", elastic, Workers(9))->adoption->min, Workers(2));
  EXPECT_EQ(candidate("PyTorchJob", elastic, Workers(9))->adoption->max, Workers(4));
  const auto huge = candidate("Deployment", object(R"("replicas":2000000000,)" + pods()));
  EXPECT_EQ(huge->adoption->max, Workers(100'000));
}

TEST(Adoption, TakesTheLargestOfSeveralGroups) {
  const auto cluster =
      object(R"("headGroupSpec":{},"workerGroupSpecs":[{"groupName":"small","replicas":1,)" + pods() +
             R"(},{"groupName":"large","replicas":4,"maxReplicas":2147483647,)" + pods() + "}]");
  const auto found = candidate("RayCluster", cluster);
  ASSERT_TRUE(found && found->adoption);
  EXPECT_EQ(found->adoption->target.group, "large");
  EXPECT_EQ(found->adoption->job.name, "train-large");
  EXPECT_EQ(found->adoption->max, Workers(8));
}

TEST(Adoption, LeavesOutWhatIsOverOrOwnedOrTaken) {
  const std::string spec = R"("completionMode":"Indexed","parallelism":2,"completions":2,)" + pods();
  EXPECT_FALSE(
      candidate("Job", object(spec, R"(,"status":{"conditions":[{"type":"Complete","status":"True"}]})")));
  const std::string owned =
      R"({"metadata":{"name":"t","namespace":"n","ownerReferences":[{"uid":"u","controller":true}]},"spec":{)" +
      spec + "}}";
  EXPECT_FALSE(candidate("Job", owned));
  const TargetRef taken{"batch/v1", "Job", "train"};
  EXPECT_EQ(candidate("Job", object(spec), {}, {taken})->why, "has a TrainingJob already");
  EXPECT_EQ(candidate("Job", object(R"("suspend":true,)" + spec))->why, "is suspended");
  EXPECT_EQ(candidate("RayCluster", object(R"("workerGroupSpecs":[])"))->why, "has no workers");
}

// KubeRay makes the cluster of a RayJob. The name of the cluster ends in random letters.
TEST(Adoption, NamesTheRayJobOfACluster) {
  const std::string cluster = R"({"metadata":{"name":"train-x7k2p","namespace":"n","ownerReferences":[)"
                              R"({"kind":"RayJob","name":"train","uid":"u","controller":true}]},"spec":{)"
                              R"("workerGroupSpecs":[{"groupName":"cpus","replicas":2,)" +
                              pods() + "}]}}";
  const auto found = candidate("RayJob", cluster);
  ASSERT_TRUE(found && found->adoption) << (found ? found->why : "none");
  EXPECT_EQ(found->adoption->job.name, "train");
  EXPECT_EQ(found->adoption->target.kind, "RayJob");
  EXPECT_EQ(found->adoption->target.name, "train");
  EXPECT_FALSE(candidateFrom(parse(cluster), *targetKind("RayJob"), {}, {}, {"u"})) << "the RayJob has ended";
  EXPECT_FALSE(candidate("RayCluster", cluster));
  EXPECT_FALSE(candidate("RayJob", object(R"("workerGroupSpecs":[])")));
}

// Trainer makes the JobSet of a TrainJob.
TEST(Adoption, ShowsATrainJobAsItIs) {
  const std::string set = R"({"metadata":{"name":"bert","namespace":"n","ownerReferences":[)"
                          R"({"kind":"TrainJob","name":"bert","uid":"u","controller":true}]},"spec":{)"
                          R"("replicatedJobs":[{"name":"node","replicas":1,"template":{"spec":{)"
                          R"("parallelism":4,"completions":4,)" +
                          pods() + "}}}]}}";
  const auto found = candidate("TrainJob", set);
  ASSERT_TRUE(found && found->adoption) << (found ? found->why : "none");
  EXPECT_TRUE(found->adoption->isFixed);
  EXPECT_EQ(found->adoption->min, Workers(4));
  EXPECT_EQ(found->adoption->max, Workers(4));
  EXPECT_EQ(found->adoption->target.apiVersion, "trainer.kubeflow.org/v1alpha1");
  EXPECT_FALSE(candidate("JobSet", set));
}

TEST(Adoption, IsATrainingJobThatOnlyObserves) {
  Adoption adoption{.job = {"n", "train-large"}, .target = {"ray.io/v1", "RayCluster", "train", "large"}};
  adoption.max = Workers(4);
  EXPECT_EQ(
      manifest::toText(trainingJobOf(adoption, Mode::Observe)),
      R"({"apiVersion":"slaq.io/v1alpha1","kind":"TrainingJob","metadata":{"name":"train-large","namespace":)"
      R"("n"},"spec":{"mode":"Observe","workers":{"minReplicas":1,"maxReplicas":4,"targetRef":{"apiVersion":)"
      R"("ray.io/v1","kind":"RayCluster","name":"train","group":"large"}}}})");
}

// Whoever may not list objects of a kind is refused whether the kind is installed or not.
TEST(AdoptCommand, LeavesOutKindsThatTheClusterLacks) {
  test::ApiServer server;
  server.list("/apis/slaq.io/v1alpha1/namespaces/team-a/trainingjobs", {});
  server.list("/apis/batch/v1/namespaces/team-a/jobs", {});
  for (const char* kind :
       {"jobset.x-k8s.io/v1alpha2/namespaces/team-a/jobsets", "kubeflow.org/v1/namespaces/team-a/pytorchjobs",
        "ray.io/v1/namespaces/team-a/rayclusters", "ray.io/v1/namespaces/team-a/rayjobs",
        "trainer.kubeflow.org/v1alpha1/namespaces/team-a/trainjobs"})
    server.answer(std::string("/apis/") + kind, 403, test::json("{'reason': 'Forbidden', 'message': 'no'}"));
  const auto adopt = [&] { return test::say({"adopt", "--kubeconfig", server.kubeconfig()}); };
  EXPECT_EQ(adopt().code, 0);
  EXPECT_THAT(adopt().err, testing::Not(HasSubstr("can't be read: ")));
  server.answer("/apis/jobset.x-k8s.io/v1alpha2", 200, "{}");
  EXPECT_EQ(adopt().code, 1);
  EXPECT_THAT(adopt().err, HasSubstr("jobsets can't be read: "));
}

}  // namespace
}  // namespace slaq::cli::adopt
