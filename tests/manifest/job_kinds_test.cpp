// How a job takes part, scales, names its loss and stops: the fields of it, and each mistake with its
// sentence.
#include <gmock/gmock.h>
#include <rapidjson/pointer.h>

#include "json.h"
#include "manifest/job_reader.h"

namespace slaq::manifest {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr const char* kEveryKind = R"({
  'metadata': {'name': 'a', 'namespace': 'b'},
  'spec': {
    'scheduling': 'Fair', 'value': 'Completion',
    'workers': {'maxReplicas': 3, 'scaling': 'CPU', 'cpu': {'min': '200m', 'max': 2},
                'template': {'spec': {'containers': [
                  {'name': 'c', 'resources': {'requests': {'cpu': '1', 'nvidia.com/gpu': 2}}}]}}},
    'loss': {'query': 'max(loss)', 'iterationQuery': 'max(step)', 'mode': 'Maximize', 'convergence': 'NonConvex', 'target': '0.12'},
    'stop': {'lossReductionPercent': '95.5', 'patience': 500, 'maxIterations': 5000000000, 'activeDeadlineSeconds': 3600},
    'ttlSecondsAfterFinished': 60}})";

ReadJob readKind(const char* pointer, const char* value, std::string_view resource = "cpu") {
  return readTrainingJob(jsonWith(kEveryKind, pointer, value), UnknownFields::Ignore, resource);
}

TEST(JobKinds, ReadsHowAJobTakesPartScalesAndStops) {
  const auto [job, violations] = readTrainingJob(json(kEveryKind), UnknownFields::Ignore);
  EXPECT_THAT(violations, IsEmpty());
  EXPECT_EQ(job.spec.scheduling, Scheduling::Fair);
  EXPECT_EQ(job.spec.value, Value::Completion);
  EXPECT_EQ(job.spec.workers.scaling, Scaling::CPU);
  EXPECT_EQ(job.spec.workers.cpu, (CpuBounds{Cores(200), Cores(2000)}));
  EXPECT_EQ(job.spec.workers.start, StartSpec());
  EXPECT_EQ(job.spec.loss, (LossSpec{.mode = LossMode::Maximize,
                                     .convergence = Convergence::NonConvex,
                                     .target = 0.12,
                                     .query = "max(loss)",
                                     .iterationQuery = "max(step)"}));
  EXPECT_EQ(job.spec.stop, (StopSpec{.lossReductionPercent = 95.5,
                                     .patience = 500,
                                     .maxIterations = 5000000000,
                                     .activeDeadline = Seconds(3600)}));
  EXPECT_EQ(job.spec.ttlAfterFinished, Seconds(60));
}

TEST(JobKinds, ReadsWhatBoundsAWorkersCpu) {
  const auto hard = readKind("/spec/workers/cpu/ceiling", "'Hard'");
  EXPECT_THAT(hard.violations, IsEmpty());
  EXPECT_EQ(hard.job.spec.workers.cpu.ceiling, CpuCeiling::Hard);
  const auto start = readKind("/spec/workers/start", "{'cpu': 4}");
  EXPECT_THAT(start.violations, IsEmpty());
  EXPECT_EQ(start.job.spec.workers.start.cpu, Cores(4000));
  const auto wrong = readKind("/spec/workers/cpu/ceiling", "'hard'").violations;
  ASSERT_EQ(wrong.size(), 1u);
  EXPECT_EQ(wrong[0].path, "spec.workers.cpu.ceiling");
  const auto empty = readKind("/spec/workers/start", "{}").violations;
  ASSERT_EQ(empty.size(), 1u);
  EXPECT_EQ(empty[0].path, "spec.workers.start.cpu");
}

TEST(JobKinds, ReadsWhereTheLossIsFound) {
  const auto loss = [](const char* from) {
    return readTrainingJob(jsonWith(kEveryKind, "/spec/loss", from), UnknownFields::Ignore);
  };
  EXPECT_EQ(loss("{'from': {'output': {}}}").job.spec.loss.from, LossFrom());
  EXPECT_EQ(loss("{'from': {'file': {'path': 'log.csv', 'metric': 'val_loss'}}}").job.spec.loss.from,
            (LossFrom{.kind = LossFrom::Kind::File, .path = "log.csv", .metric = "val_loss"}));
  EXPECT_EQ(loss(R"({'from': {'output': {'pattern': 'nll=(?<loss>\\S+)'}}})").job.spec.loss.from,
            (LossFrom{.pattern = R"(nll=(?<loss>\S+))"}));
  EXPECT_EQ(loss("{'from': {'kubeflow': {'metric': 'eval_loss'}}}").job.spec.loss.from,
            (LossFrom{.kind = LossFrom::Kind::Kubeflow, .metric = "eval_loss"}));
  const std::pair<const char*, const char*> mistakes[] = {
      {"{'from': {'output': {'pattern': 'nll=(.*)'}}}", "spec.loss.from.output.pattern"},
      {"{'from': {'output': {'pattern': '(?<loss>.)', 'metric': 'm'}}}", "spec.loss.from.output.metric"},
      {"{'from': {'output': {'pattern': 1}}}", "spec.loss.from.output.pattern"},
      {"{'from': {}}", "spec.loss.from.output"},
      {"{'from': {'output': {}, 'file': {'path': 'x'}}}", "spec.loss.from.output"},
      {"{'from': {'file': {}}}", "spec.loss.from.file.path"},
      {"{'from': {'output': {}}, 'metric': 'm'}", "spec.loss.metric"},
      {"{'from': {'output': {}}, 'query': 'a', 'iterationQuery': 'b'}", "spec.loss.query"},
  };
  for (const auto& [text, path] : mistakes) {
    EXPECT_THAT(loss(text).violations, testing::Contains(testing::Field(&Violation::path, path))) << text;
  }
}

TEST(JobKinds, TakesDecimalsAsTextOrNumber) {
  EXPECT_EQ(readKind("/spec/loss/target", "0.25").job.spec.loss.target, 0.25);
  EXPECT_EQ(readKind("/spec/loss/target", "'-3e-2'").job.spec.loss.target, -0.03);
  EXPECT_EQ(readKind("/spec/stop/lossReductionPercent", "90").job.spec.stop.lossReductionPercent, 90);
}

TEST(JobKinds, CountsTheResourceThatItIsTold) {
  const auto job = readKind("/spec/workers/scaling", "", "nvidia.com/gpu").job;
  EXPECT_EQ(coresOf(job.spec.workers.pod), Cores(2000));
}

TEST(JobKinds, ReadsWhatARestartCosts) {
  const auto job = readKind("/spec/workers/restart", "{'pauseSeconds': 30, 'checkpointed': true}").job;
  EXPECT_EQ(job.spec.workers.restart, (RestartSpec{.pause = Seconds(30), .checkpointed = true}));
  EXPECT_THAT(readKind("/spec/workers/restart", "{'pauseSeconds': 100000}").violations,
              ElementsAre(Violation{"spec.workers.restart.pauseSeconds", "must be from 0 to 86400"}));
}

TEST(JobKinds, SizesAreTheBounds) {
  const char* object = R"({'metadata': {'name': 'a', 'namespace': 'b'}, 'spec': {'workers': {
    'maxReplicas': 16, 'sizes': [8, 2, 4], 'template': {'spec': {'containers': [
      {'name': 'c', 'resources': {'requests': {'cpu': '1'}}}]}}}}})";
  auto document = json(object);
  const auto [job, violations] = readTrainingJob(document, UnknownFields::Ignore);
  EXPECT_THAT(violations, IsEmpty());
  EXPECT_THAT(job.spec.workers.sizes, ElementsAre(Workers(2), Workers(4), Workers(8)));
  EXPECT_EQ(job.spec.workers.min, Workers(2));
  EXPECT_EQ(job.spec.workers.max, Workers(8));
  const std::map<std::string, Violation> mistakes = {
      {"[2, 32]",
       {"spec.workers.sizes", "must be numbers from minReplicas to maxReplicas, such as [1, 2, 4]"}},
      {"[]", {"spec.workers.sizes", "must have a number in it, or be left out"}},
      {"[2, 2]", {"spec.workers.sizes", "must name each number once"}},
      {"[2, '4']", {"spec.workers.sizes[1]", "must be a whole number of at most 9 digits"}},
      {"4", {"spec.workers.sizes", "must be a list, not a number"}}};
  for (const auto& [sizes, violation] : mistakes) {
    rapidjson::Pointer("/spec/workers/sizes").Set(document, json(sizes.c_str()));
    EXPECT_THAT(readTrainingJob(document, UnknownFields::Ignore).violations, ElementsAre(violation)) << sizes;
  }
}

TEST(JobKinds, SizesAreOfWorkersAndAPinIsOneOfThem) {
  EXPECT_THAT(readKind("/spec/workers/sizes", "[1, 3]").violations,
              ElementsAre(Violation{"spec.workers.sizes", "must be left out where scaling is CPU"}));
  WorkersSpec workers{.max = Workers(4), .sizes = {Workers(1), Workers(4)}};
  workers.pod.containers = {{.name = "c", .request = Cores(1000)}};
  TrainingJob job{.key = {"b", "a"}};
  job.spec.workers = workers;
  job.spec.replicas = Workers(3);
  EXPECT_THAT(validate(job),
              ElementsAre(Violation{"spec.replicas",
                                    "must be 0 (suspended) or one of sizes to pin the job to, or left out"}));
}

class RefusedKind : public testing::TestWithParam<Mistake> {};

TEST_P(RefusedKind, IsTheOnlyViolation) {
  const auto& [pointer, value, path, message] = GetParam();
  const auto violations = readKind(pointer, value).violations;
  EXPECT_THAT(violations, ElementsAre(Violation{path, message}));
}

INSTANTIATE_TEST_SUITE_P(
    Fields, RefusedKind,
    testing::Values(
        Mistake{"/spec/scheduling", "'quality'", "spec.scheduling", "must be Quality, Fair or Reserved"},
        Mistake{"/spec/scheduling", "1", "spec.scheduling", "must be a string, not a number; quote it"},
        Mistake{"/spec/value", "'loss'", "spec.value", "must be Loss or Completion"},
        Mistake{"/spec/workers/scaling", "'Cpu'", "spec.workers.scaling", "must be Replicas or CPU"},
        Mistake{"/spec/workers/scaling", "", "spec.workers.scaling",
                "must be CPU where cpu is given; or leave cpu out"},
        Mistake{"/spec/workers/cpu", "", "spec.workers.cpu",
                "must be given: the bounds of a worker's cores, such as {min: 200m, max: \"2\"}"},
        Mistake{"/spec/workers/cpu/min", "", "spec.workers.cpu.min",
                "must be given: the fewest cores of a worker, such as 200m"},
        Mistake{"/spec/workers/cpu/max", "", "spec.workers.cpu.max",
                "must be given: the most cores of a worker, such as 2"},
        Mistake{"/spec/workers/cpu/max", "true", "spec.workers.cpu.max",
                "must be a quantity of cores such as \"2\" or \"200m\", not true or false"},
        Mistake{"/spec/workers/cpu/max", "'0.5'", "spec.workers.template.spec.containers[0].resources",
                "must request from 200m to 500m CPU, the bounds in spec.workers.cpu, not 1"},
        Mistake{"/spec/loss/metric", "'loss'", "spec.loss.metric",
                "can't be given together with query and iterationQuery; leave it out, or these"},
        Mistake{"/spec/loss/iterationMetric", "'step'", "spec.loss.iterationMetric",
                "can't be given together with query and iterationQuery; leave it out, or these"},
        Mistake{"/spec/loss/query", "", "spec.loss.query",
                "is missing; query and iterationQuery are given together"},
        Mistake{"/spec/loss/target", "'low'", "spec.loss.target", "must be a decimal, such as \"0.12\""},
        Mistake{"/spec/loss/target", "[]", "spec.loss.target", "must be a decimal, such as \"0.12\""},
        Mistake{
            "/spec/loss/target", "", "spec.loss.target",
            "must be given for stop.lossReductionPercent where convergence is NonConvex, such as \"0.12\""},
        Mistake{"/spec/stop", "[]", "spec.stop", "must be an object (fields with values), not a list"},
        Mistake{"/spec/stop/maxIterations", "1.5", "spec.stop.maxIterations",
                "must be a whole number of at most 18 digits"},
        Mistake{"/spec/stop/activeDeadlineSeconds", "'1h'", "spec.stop.activeDeadlineSeconds",
                "must be a whole number, not a string"},
        Mistake{"/spec/ttlSecondsAfterFinished", "-1", "spec.ttlSecondsAfterFinished", "must be 0 or more"}));

}  // namespace
}  // namespace slaq::manifest
