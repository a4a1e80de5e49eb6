#include "kube/objects/pod_group.h"

#include <gmock/gmock.h>

#include "kube/json/json_fields.h"
#include "kube/objects/children.h"
#include "kube/support/jobs.h"
#include "kube/support/json.h"

namespace slaq::kube::objects {
namespace {

using json::at;
using json::stringAt;

TrainingJob jobWith(Workers least, bool withDriver = true) {
  auto job = trainingJob(withDriver);
  job.spec.workers.min = least;
  return job;
}

TEST(PodGroup, HasTheMinimumOfWorkersAndTheDriver) {
  EXPECT_EQ(gangOf(jobWith(Workers(3)), Workers(5)), (Gang{4, true, ""}));
  EXPECT_EQ(gangOf(jobWith(Workers(3), false), Workers(5)), (Gang{3, false, ""}));
  EXPECT_EQ(gangOf(jobWith(Workers(3)), Workers(2)), (Gang{3, true, ""})) << "no more than it starts with";
}

TEST(PodGroup, CountsOnePodWhereThereIsOnlyOne) {
  EXPECT_EQ(gangOf(jobWith(Workers(1), false), Workers(5)), (Gang{1, false, ""}));
  EXPECT_EQ(gangOf(jobWith(Workers(1)), Workers(5)), (Gang{2, true, ""}));
  EXPECT_EQ(gangOf(jobWith(Workers(1)), Workers(1), /*mayHaveDriver=*/false), (Gang{1, false, ""}));
}

TEST(PodGroup, LeavesPodsAloneThatCannotJoin) {
  auto job = jobWith(Workers(2));
  job.spec.workers.pod.document = quoted("{'spec':{'schedulingGroup':{'podGroupName':'mine'}}}");
  EXPECT_FALSE(gangOf(job, Workers(2)));
  job.spec.workers.pod.document = quoted("{'spec':{'evictionResponders':[{'name':'r'}]}}");
  EXPECT_FALSE(gangOf(job, Workers(2)));
}

// The scheduler refuses a group whose pods differ in priority or scheduler.
TEST(PodGroup, LeavesADriverOfAnotherPriorityOut) {
  auto job = jobWith(Workers(2));
  job.spec.workers.pod.document = quoted("{'spec':{'priorityClassName':'low'}}");
  EXPECT_EQ(gangOf(job, Workers(2)), (Gang{2, false, "low"}));
  job.spec.driver->document = quoted("{'spec':{'priorityClassName':'low','schedulerName':'other'}}");
  EXPECT_EQ(gangOf(job, Workers(2)), (Gang{2, false, "low"}));
  job.spec.driver->document = job.spec.workers.pod.document;
  EXPECT_EQ(gangOf(job, Workers(2)), (Gang{3, true, "low"}));
}

TEST(PodGroup, IsOwnedByItsJob) {
  EXPECT_EQ(pretty(parse(podGroupBody(trainingJob(), {4, true, "low"}))), R"({
 "apiVersion": "scheduling.k8s.io/v1beta1",
 "kind": "PodGroup",
 "metadata": {
  "name": "logreg",
  "namespace": "team-a",
  "labels": {
   "slaq.io/job": "logreg",
   "slaq.io/job-uid": "uid-1"
  },
  )" + kPrettyOwners + R"(
 },
 "spec": {
  "schedulingPolicy": {
   "gang": {
    "minCount": 4
   }
  },
  "priorityClassName": "low"
 }
})");
}

TEST(PodGroup, IsNamedByThePodsThatAreInIt) {
  const auto member = parse(driverBody(trainingJob(), "", /*isInGroup=*/true));
  EXPECT_EQ(stringAt(member, {"spec", "template", "spec", "schedulingGroup", "podGroupName"}), "logreg");
  EXPECT_TRUE(readChild(member).isInGroup);
  const auto alone = parse(driverBody(trainingJob()));
  EXPECT_EQ(at(alone, {"spec", "template", "spec", "schedulingGroup"}), nullptr);
  EXPECT_FALSE(readChild(alone).isInGroup);
}

}  // namespace
}  // namespace slaq::kube::objects
