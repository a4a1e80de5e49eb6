#include "manifest/job_reader.h"

#include <gmock/gmock.h>
#include <rapidjson/pointer.h>

#include "json.h"
#include "support/quantities.h"

namespace slaq::manifest {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr const char* kJob = R"({
  'apiVersion': 'slaq.io/v1alpha1', 'kind': 'TrainingJob',
  'metadata': {'name': 'logreg', 'namespace': 'team-a', 'uid': 'u-1', 'generation': 3,
               'creationTimestamp': '2026-01-31T12:00:00Z', 'labels': {'a': 'b'}},
  'spec': {
    'weight': 5, 'suspend': true, 'replicas': 4,
    'workers': {
      'minReplicas': 2, 'maxReplicas': 32,
      'template': {'metadata': {'labels': {'team': 'a'}}, 'spec': {
        'nodeSelector': {'disk': 'ssd'},
        'containers': [{
          'name': 'main', 'image': 'trainer:1', 'command': ['train'], 'args': ['--role', 'worker'],
          'workingDir': '/data',
          'env': [{'name': 'A', 'value': '1'}, {'name': 'B', 'valueFrom': {'fieldRef': {}}}],
          'ports': [{'name': 'metrics', 'containerPort': 9000}],
          'resources': {'requests': {'cpu': '500m'}, 'limits': {'cpu': 1}}}]}}},
    'driver': {'template': {'spec': {'containers': [
      {'name': 'main', 'image': 'trainer:1', 'resources': {'limits': {'cpu': 0.25}}}]}}},
    'loss': {'metric': 'my_loss', 'iterationMetric': 'my_steps', 'convergence': 'Superlinear'},
    'backoffLimit': 7}
})";

ReadJob readWith(const char* pointer, const char* value, UnknownFields unknown = UnknownFields::Refuse) {
  return readTrainingJob(jsonWith(kJob, pointer, value), unknown);
}

TEST(JobReader, TakesAQuantityInEveryForm) {
  const auto table = test::quantities();
  for (const auto& each : table.GetArray()) {
    auto document = json(kJob);
    rapidjson::Pointer("/spec/workers/template/spec/containers/0/resources/requests/cpu")
        .Set(document, each[0]);
    const auto [job, violations] = readTrainingJob(document, UnknownFields::Refuse);
    const bool isCost = !each[1].IsNull() && each[1].GetInt64() > 0;
    EXPECT_EQ(violations.empty(), isCost) << each[0].GetType();
    if (!isCost) continue;
    EXPECT_EQ(coresOf(job.spec.workers.pod), Cores(each[1].GetInt64()));
  }
}

TEST(JobReader, TakesWholeNumbersWithADecimalPoint) {
  const auto [job, violations] =
      readWith("/spec", R"({'weight': 4.0, 'workers': {'maxReplicas': 1e2, 'sizes': [4.0],
      'template': {'spec': {'containers': [{'resources': {'requests': {'cpu': 1}}}]}}}})");
  EXPECT_THAT(violations, IsEmpty());
  EXPECT_EQ(job.spec.weight, 4);
  EXPECT_THAT(job.spec.workers.sizes, ElementsAre(Workers(4)));
}

TEST(JobReader, ReadsEveryField) {
  const auto [job, violations] = readTrainingJob(json(kJob), UnknownFields::Refuse);
  EXPECT_THAT(violations, IsEmpty());
  EXPECT_EQ(job.key, (JobKey{"team-a", "logreg"}));
  EXPECT_EQ(job.uid, "u-1");
  EXPECT_EQ(job.generation, 3);
  EXPECT_EQ(toRfc3339(job.created), "2026-01-31T12:00:00Z");
  EXPECT_FALSE(job.deleting);
  EXPECT_EQ(job.spec.weight, 5);
  EXPECT_TRUE(job.spec.suspend);
  EXPECT_EQ(job.spec.backoffLimit, 7);
  EXPECT_EQ(job.spec.loss, (LossSpec{"my_loss", "my_steps", LossMode::Minimize, Convergence::Superlinear}));
  EXPECT_EQ(job.spec.workers.min, Workers(2));
  EXPECT_EQ(job.spec.workers.max, Workers(32));
  EXPECT_EQ(job.spec.replicas, Workers(4));
  ASSERT_TRUE(job.spec.driver);
  EXPECT_EQ(coresOf(*job.spec.driver), Cores(250));
}

TEST(JobReader, ReadsThePartsOfAContainerThatItUses) {
  const auto job = readTrainingJob(json(kJob), UnknownFields::Refuse).job;
  ASSERT_THAT(job.spec.workers.pod.containers, SizeIs(1));
  Container expected;
  expected.name = "main";
  expected.image = "trainer:1";
  expected.command = {"train"};
  expected.args = {"--role", "worker"};
  expected.environment = {{"A", "1"}};
  expected.ports = {{"metrics", 9000}};
  expected.request = Cores(500);
  expected.limit = Cores(1000);
  expected.workingDirectory = "/data";
  EXPECT_EQ(job.spec.workers.pod.containers[0], expected);
}

TEST(JobReader, KeepsTheWholeTemplateAsText) {
  const auto job = readTrainingJob(json(kJob), UnknownFields::Refuse).job;
  EXPECT_THAT(job.spec.workers.pod.document, HasSubstr(R"("nodeSelector":{"disk":"ssd"})"));
  EXPECT_EQ(json(job.spec.workers.pod.document), json(kJob)["spec"]["workers"]["template"]);
}

TEST(JobReader, FillsInTheDefaults) {
  const auto [job, violations] = readTrainingJob(json(R"({
    'metadata': {'name': 'a', 'namespace': 'b'},
    'spec': {'workers': {'maxReplicas': 3, 'template': {'spec': {'containers': [
      {'name': 'c', 'image': 'd', 'resources': {'requests': {'cpu': '1'}}}]}}}}})"),
                                                 UnknownFields::Ignore);
  EXPECT_THAT(violations, IsEmpty());
  EXPECT_EQ(job.spec.weight, 1);
  EXPECT_FALSE(job.spec.suspend);
  EXPECT_EQ(job.spec.workers.min, Workers(1));
  EXPECT_EQ(job.spec.replicas, std::nullopt);
  EXPECT_FALSE(job.spec.driver);
  EXPECT_EQ(job.spec.loss, LossSpec());
  EXPECT_EQ(job.spec.backoffLimit, 3);
}

TEST(JobReader, LeavesOutWhatIsNotThere) {
  const auto job = readTrainingJob(json(kJob), UnknownFields::Refuse).job;
  EXPECT_EQ(job.spec.scheduling, Scheduling::Quality);
  EXPECT_EQ(job.spec.workers.scaling, Scaling::Replicas);
  EXPECT_EQ(job.spec.workers.cpu, CpuBounds());
  EXPECT_EQ(job.spec.stop, StopSpec());
  EXPECT_EQ(job.spec.ttlAfterFinished, std::nullopt);
}

std::string listed(const std::vector<Violation>& violations) {
  std::string out;
  for (const auto& each : violations) out += each.path + ": " + each.message + "\n";
  return out;
}

class RefusedField : public testing::TestWithParam<Mistake> {};

TEST_P(RefusedField, IsTheOnlyViolation) {
  const auto& [pointer, value, path, message] = GetParam();
  const auto violations = readWith(pointer, value).violations;
  ASSERT_THAT(violations, SizeIs(1)) << listed(violations);
  EXPECT_EQ(violations[0].path, path);
  EXPECT_THAT(violations[0].message, HasSubstr(message));
}

#define MAIN "spec.workers.template.spec.containers[0]"
#define AT "/spec/workers/template/spec/containers/0"

INSTANTIATE_TEST_SUITE_P(
    WrongTypes, RefusedField,
    testing::Values(
        Mistake{"/apiVersion", "3", "apiVersion", "must be a string, not a number"},
        Mistake{"/metadata", "[]", "metadata", "must be an object"},
        Mistake{"/metadata/name", "7", "metadata.name", "must be a string, not a number"},
        Mistake{"/metadata/namespace", "{}", "metadata.namespace", "not an object"},
        Mistake{"/metadata/uid", "true", "metadata.uid", "must be a string"},
        Mistake{"/metadata/generation", "'1'", "metadata.generation", "must be a whole number"},
        Mistake{"/metadata/creationTimestamp", "'today'", "metadata.creationTimestamp",
                "not an RFC 3339 time"},
        Mistake{"/metadata/creationTimestamp", "1", "metadata.creationTimestamp", "must be a time"},
        Mistake{"/spec", "'x'", "spec", "must be an object (fields with values), not a string"},
        Mistake{"/spec/weight", "'5'", "spec.weight", "must be a whole number, not a string"},
        Mistake{"/spec/weight", "1.5", "spec.weight", "must be a whole number"},
        Mistake{"/spec/weight", "99999999999", "spec.weight", "must be a whole number of at most 9 digits"},
        Mistake{"/spec/suspend", "'yes'", "spec.suspend", "must be true or false, not a string"},
        Mistake{"/spec/workers", "[]", "spec.workers", "must be an object"},
        Mistake{"/spec/workers/minReplicas", "'2'", "spec.workers.minReplicas", "must be a whole number"},
        Mistake{"/spec/replicas", "[1]", "spec.replicas", "not a list"},
        Mistake{"/spec/workers/replicas", "[1]", "spec.workers.replicas", "not a list"},
        Mistake{"/spec/workers/template", "'pod'", "spec.workers.template", "must be an object"},
        Mistake{"/spec/workers/template/spec", "1", "spec.workers.template.spec", "must be an object"},
        Mistake{"/spec/workers/template/spec/containers", "{}", "spec.workers.template.spec.containers",
                "must be a list, not an object"},
        Mistake{AT, "'main'", MAIN, "must be an object"},
        Mistake{AT "/name", "1", MAIN ".name", "must be a string"},
        Mistake{AT "/command", "'train'", MAIN ".command", "must be a list, not a string"},
        Mistake{AT "/args/1", "8", MAIN ".args[1]", "must be a string, not a number"},
        Mistake{AT "/workingDir", "1", MAIN ".workingDir", "must be a string"},
        Mistake{AT "/env", "{}", MAIN ".env", "must be a list"},
        Mistake{AT "/env/0/name", "1", MAIN ".env[0].name", "must be a string"},
        Mistake{AT "/env/0/value", "1", MAIN ".env[0].value", "must be a string, not a number"},
        Mistake{AT "/ports/0", "9464", MAIN ".ports[0]", "must be an object"},
        Mistake{AT "/ports/0/containerPort", "'http'", MAIN ".ports[0].containerPort",
                "must be a whole number"},
        Mistake{AT "/resources", "'2'", MAIN ".resources", "must be an object"},
        Mistake{AT "/resources/requests", "[]", MAIN ".resources.requests", "must be an object"},
        Mistake{AT "/resources/requests/cpu", "true", MAIN ".resources.requests.cpu", "must be a quantity"},
        Mistake{AT "/resources/requests/cpu", "'two'", MAIN ".resources.requests.cpu", "not a quantity"},
        Mistake{AT "/resources/limits/cpu", "-1", MAIN ".resources.limits.cpu", "is negative"},
        Mistake{"/spec/driver", "7", "spec.driver", "must be an object"},
        Mistake{"/spec/driver/template/spec/containers/0/image", "7",
                "spec.driver.template.spec.containers[0].image", "must be a string"},
        Mistake{"/spec/loss", "'x'", "spec.loss", "must be an object"},
        Mistake{"/spec/loss/metric", "1", "spec.loss.metric", "must be a string"},
        Mistake{"/spec/loss/iterationMetric", "[]", "spec.loss.iterationMetric", "must be a string"},
        Mistake{"/spec/loss/mode", "'Max'", "spec.loss.mode", "must be Minimize or Maximize"},
        Mistake{"/spec/loss/convergence", "'Fast'", "spec.loss.convergence",
                "must be Auto, Sublinear, Superlinear or NonConvex"},
        Mistake{"/spec/backoffLimit", "'3'", "spec.backoffLimit", "must be a whole number"}));

INSTANTIATE_TEST_SUITE_P(
    MissingParts, RefusedField,
    testing::Values(Mistake{"/apiVersion", "", "apiVersion", "must be slaq.io/v1alpha1"},
                    Mistake{"/kind", "", "kind", "must be TrainingJob"},
                    Mistake{"/spec", "", "spec", "must be given"},
                    Mistake{"/metadata/name", "", "metadata.name", "must be a DNS label"},
                    Mistake{"/spec/workers", "", "spec.workers", "must be given"},
                    Mistake{"/spec/workers/maxReplicas", "", "spec.workers.maxReplicas", "must be given"},
                    Mistake{"/spec/workers/template", "null", "spec.workers.template", "must be given"},
                    Mistake{"/spec/workers/template/spec", "", "spec.workers.template.spec", "must be given"},
                    Mistake{"/spec/workers/template/spec/containers", "",
                            "spec.workers.template.spec.containers", "must have at least one container"},
                    Mistake{AT "/resources", "", MAIN ".resources", "must request CPU"},
                    Mistake{"/spec/driver/template", "", "spec.driver.template", "must be given"}));

INSTANTIATE_TEST_SUITE_P(
    BrokenRules, RefusedField,
    testing::Values(Mistake{"/spec/workers/minReplicas", "0", "spec.workers.minReplicas",
                            "must be at least 1"},
                    Mistake{"/spec/replicas", "1", "spec.replicas", "must be 0 (suspended)"},
                    Mistake{"/spec/replicas", "-2", "spec.replicas", "must be 0 (suspended)"},
                    Mistake{"/spec/weight", "0", "spec.weight", "from 1 to 1000"},
                    Mistake{"/metadata/name", "'A'", "metadata.name", "DNS label"}));

INSTANTIATE_TEST_SUITE_P(
    UnknownKeys, RefusedField,
    testing::Values(
        Mistake{"/metdata", "{}", "metdata", "did you mean metadata?"},
        Mistake{"/metadata/nmae", "'x'", "metadata.nmae", "did you mean name?"},
        Mistake{"/spec/wieght", "2", "spec.wieght", "did you mean weight?"},
        Mistake{"/spec/workers/minreplicas", "2", "spec.workers.minreplicas", "did you mean minReplicas?"},
        Mistake{"/spec/driver/tmplate", "{}", "spec.driver.tmplate", "did you mean template?"},
        Mistake{"/spec/loss/slaq.io~1x", "1", "spec.loss[\"slaq.io/x\"]", "unknown field, remove it"}));

TEST(JobReader, IgnoresUnknownFieldsWhereTold) {
  EXPECT_THAT(readWith("/spec/later", "{}", UnknownFields::Ignore).violations, IsEmpty());
}

TEST(JobReader, LeavesUnknownFieldsOfPodTemplatesAlone) {
  EXPECT_THAT(readWith(AT "/imagePullPolice", "'Never'").violations, IsEmpty());
}

// Until version 0.1 the pin stood in spec.workers, where 0 was automatic.
TEST(JobReader, TakesAFormerPinWhereThereIsNoNewOne) {
  const auto replicasOf = [](const char* former, const char* now) {
    auto document = json(kJob);
    document["spec"].RemoveMember("replicas");
    if (*former) rapidjson::Pointer("/spec/workers/replicas").Set(document, json(former));
    if (*now) rapidjson::Pointer("/spec/replicas").Set(document, json(now));
    return readTrainingJob(document, UnknownFields::Refuse).job.spec.replicas;
  };
  EXPECT_EQ(replicasOf("", ""), std::nullopt);
  EXPECT_EQ(replicasOf("0", ""), std::nullopt);
  EXPECT_EQ(replicasOf("3", ""), Workers(3));
  EXPECT_EQ(replicasOf("3", "4"), Workers(4));
  EXPECT_EQ(replicasOf("3", "0"), Workers(0));
  EXPECT_EQ(replicasOf("", "0"), Workers(0));
}

TEST(JobReader, RefusesAMaximumBelowTheMinimum) {
  const auto violations = readWith("/spec/workers/maxReplicas", "1").violations;
  ASSERT_THAT(violations, SizeIs(2));  // it leaves no room for replicas: 4 either
  EXPECT_EQ(violations[0].path, "spec.workers.maxReplicas");
  EXPECT_THAT(violations[0].message, HasSubstr("at least minReplicas"));
}

TEST(JobReader, SeesThatAJobIsBeingDeleted) {
  EXPECT_TRUE(readWith("/metadata/deletionTimestamp", "'2026-02-01T00:00:00Z'").job.deleting);
}

TEST(JobReader, RefusesWhatIsNoObjectAtAll) {
  for (const char* text : {"[]", "null", "'job'", "3"}) {
    const auto violations = readTrainingJob(json(text), UnknownFields::Refuse).violations;
    EXPECT_THAT(violations, testing::Not(IsEmpty())) << text;
  }
}

TEST(JobReader, ReportsEveryMistakeAtOnce) {
  auto document = json(kJob);
  rapidjson::Pointer("/spec/weight").Set(document, "x");
  rapidjson::Pointer("/spec/backoffLimit").Set(document, -1);
  EXPECT_THAT(readTrainingJob(document, UnknownFields::Refuse).violations,
              ElementsAre(testing::Field(&Violation::path, "spec.weight"),
                          testing::Field(&Violation::path, "spec.backoffLimit")));
}

TEST(JobReader, RefusesTemplatesThatAreTooDeepToBeWritten) {
  for (const std::size_t levels : {61u, 62u, 1'000'000u}) {
    rapidjson::Document document;
    const std::string deep = std::string(levels, '[') + std::string(levels, ']');
    const std::string text =
        R"({"spec":{"workers":{"maxReplicas":1,"template":{"spec":{"x":)" + deep + "}}}}}";
    document.Parse<rapidjson::kParseIterativeFlag>(text.data(), text.size());
    const auto read = readTrainingJob(document, UnknownFields::Ignore);
    const Violation mistake{"spec.workers.template", "must be nested no deeper than 64 levels"};
    EXPECT_EQ(std::ranges::count(read.violations, mistake), levels > 62 ? 1 : 0) << levels;
  }
}

}  // namespace
}  // namespace slaq::manifest
