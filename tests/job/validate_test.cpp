#include "job/validate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

namespace slaq {
namespace {

PodTemplate podOf(Cores request) {
  PodTemplate pod;
  pod.containers.push_back({.name = "main", .request = request});
  return pod;
}

TrainingJob goodJob() {
  TrainingJob job;
  job.key = {"team-a", "logreg"};
  job.spec.workers.max = Workers(8);
  job.spec.workers.pod = podOf(Cores(200));
  job.spec.driver = podOf(Cores(50));
  return job;
}

TEST(Validation, AcceptsAGoodJob) { EXPECT_TRUE(validate(goodJob()).empty()); }

struct Case {
  const char* path;
  std::function<void(TrainingJob&)> spoil;
};

TEST(Validation, NamesThePathOfEachBrokenRule) {
  const Case cases[] = {
      {"metadata.name", [](auto& job) { job.key.name = "LogReg"; }},
      {"metadata.name", [](auto& job) { job.key.name = std::string(46, 'a'); }},
      {"metadata.name", [](auto& job) { job.key.name = ""; }},
      {"metadata.namespace", [](auto& job) { job.key.ns = "../etc"; }},
      {"spec.weight", [](auto& job) { job.spec.weight = 0; }},
      {"spec.weight", [](auto& job) { job.spec.weight = 1001; }},
      {"spec.workers.minReplicas", [](auto& job) { job.spec.workers.min = Workers(0); }},
      {"spec.workers.maxReplicas", [](auto& job) { job.spec.workers.min = Workers(9); }},
      {"spec.replicas", [](auto& job) { job.spec.replicas = Workers(9); }},
      {"spec.replicas", [](auto& job) { job.spec.replicas = Workers(-2); }},
      {"spec.workers.template.spec.containers", [](auto& job) { job.spec.workers.pod.containers.clear(); }},
      {"spec.workers.template.spec.containers[0].resources",
       [](auto& job) { job.spec.workers.pod = podOf(Cores(0)); }},
      {"spec.driver.template.spec.containers", [](auto& job) { job.spec.driver->containers.clear(); }},
      {"spec.loss.metric", [](auto& job) { job.spec.loss.metric = "my loss"; }},
      {"spec.loss.iterationMetric", [](auto& job) { job.spec.loss.iterationMetric = "1st"; }},
      {"spec.backoffLimit", [](auto& job) { job.spec.backoffLimit = -1; }},
  };
  for (const auto& c : cases) {
    auto job = goodJob();
    c.spoil(job);
    const auto violations = validate(job);
    ASSERT_EQ(violations.size(), 1u) << c.path;
    EXPECT_EQ(violations[0].path, c.path);
    EXPECT_NE(violations[0].message.find("must"), std::string::npos);
  }
}

TrainingJob scalingByCpu(Cores min = Cores(100), Cores max = Cores(2000)) {
  auto job = goodJob();
  job.spec.workers.scaling = Scaling::CPU;
  job.spec.workers.cpu = {min, max};
  return job;
}

TEST(Validation, AcceptsJobsOfEveryKind) {
  EXPECT_TRUE(validate(scalingByCpu()).empty());
  EXPECT_TRUE(validate(scalingByCpu(Cores(200), Cores(200))).empty()) << "bounds that leave no choice";
  for (const auto scheduling : {Scheduling::Fair, Scheduling::Reserved}) {
    auto job = goodJob();
    job.spec.scheduling = scheduling;
    EXPECT_TRUE(validate(job).empty()) << name(scheduling);
  }
  auto job = goodJob();
  job.spec.loss.convergence = Convergence::NonConvex;
  EXPECT_TRUE(validate(job).empty()) << "a target is a hint, not a must";
  job.spec.loss.target = -0.5;
  job.spec.stop = {.lossReductionPercent = 95, .maxIterations = 1, .activeDeadline = Seconds(1)};
  job.spec.ttlAfterFinished = Seconds(0);
  EXPECT_TRUE(validate(job).empty());
  job.spec.loss.query = job.spec.loss.iterationQuery = "max(x)";
  EXPECT_TRUE(validate(job).empty());
}

struct Sentence {
  std::function<void(TrainingJob&)> spoil;
  const char* path;
  const char* message;
};

// The CRD says the same words.
TEST(Validation, RefusesWhatNeedsPodsOfOurOwnWhereATargetHasTheWorkers) {
  auto named = goodJob();
  named.spec.driver.reset();
  named.spec.workers.pod = {};
  named.spec.workers.target = TargetRef{"apps/v1", "Deployment", "train"};
  EXPECT_TRUE(validate(named).empty());
  const Case cases[] = {
      {"spec.stop", [](auto& job) { job.spec.stop.patience = 3; }},
      {"spec.loss.from", [](auto& job) { job.spec.loss.from = LossFrom{}; }},
      {"spec.workers.scaling",
       [](auto& job) {
         job.spec.workers.scaling = Scaling::CPU;
         job.spec.workers.cpu = {Cores(100), Cores(200)};
       }},
  };
  for (const auto& c : cases) {
    auto job = named;
    c.spoil(job);
    const auto violations = validate(job);
    ASSERT_EQ(violations.size(), 1u) << c.path;
    EXPECT_EQ(violations[0].path, c.path);
  }
  named.spec.driver.emplace().effective = Cores(1000);  // the other pods of the object
  EXPECT_TRUE(validate(named).empty());
  named.spec.mode = Mode::Observe;
  EXPECT_TRUE(validate(named).empty());
}

TEST(Validation, RefusesToObserveWhatSlaqHasToStart) {
  auto job = goodJob();
  job.spec.mode = Mode::Observe;
  ASSERT_EQ(validate(job).size(), 1u);
  EXPECT_EQ(validate(job)[0].path, "spec.mode");
}

TEST(Validation, SaysWhatToWriteInstead) {
  const Sentence cases[] = {
      {[](auto& job) { job.spec.workers.cpu.min = Cores(); }, "spec.workers.cpu.min",
       "must be more than 0, such as 200m: the fewest cores of a worker"},
      {[](auto& job) { job.spec.workers.cpu.max = Cores(50); }, "spec.workers.cpu.max",
       "must be at least min (100m)"},
      {[](auto& job) { job.spec.workers.pod = podOf(Cores(50)); },
       "spec.workers.template.spec.containers[0].resources",
       "must request from 100m to 2 CPU, the bounds in spec.workers.cpu, not 50m"},
      {[](auto& job) { job.spec.workers.pod = podOf(Cores(3000)); },
       "spec.workers.template.spec.containers[0].resources",
       "must request from 100m to 2 CPU, the bounds in spec.workers.cpu, not 3"},
      {[](auto& job) { job.spec.workers.cpu.max = Cores(2'000'000'000); }, "spec.workers.cpu.max",
       "must be at most 1000000"},
      {[](auto& job) {
         job.spec.workers.scaling = Scaling::Replicas;
         job.spec.workers.cpu = {};
         job.spec.workers.pod.containers.push_back({.name = "other", .request = kMostCores});
       },
       "spec.workers.template.spec.containers", "must ask for at most 1000000 together"},
      {[](auto& job) { job.spec.workers.scaling = Scaling::Replicas; }, "spec.workers.scaling",
       "must be CPU where cpu is given; or leave cpu out"},
      {[](auto& job) { job.spec.workers.start.cpu = Cores(); }, "spec.workers.start.cpu",
       "must be more than 0 and at most 1000000"},
      {[](auto& job) {
         job.spec.workers.scaling = Scaling::Replicas;
         job.spec.workers.cpu = {};
         job.spec.workers.start.cpu = Cores(2000);
       },
       "spec.workers.scaling", "must be CPU where start is given; or leave start out"},
      {[](auto& job) { job.spec.loss.from.emplace(); }, "spec.driver.template.spec.containers[0].command",
       "must be given where spec.loss.from is, such as [python, train.py]: what the image starts by itself "
       "is not "
       "known"},
      {[](auto& job) {
         job.spec.driver->containers[0].command = {"train"};
         job.spec.loss.from = LossFrom{.pattern = "loss=(\\S+)"};
       },
       "spec.loss.from.output.pattern",
       "must have a group named loss, as in 'step=(?<iteration>\\d+) .*loss=(?<loss>\\S+)'"},
      {[](auto& job) {
         job.spec.driver->containers[0].command = {"train"};
         job.spec.loss.from = LossFrom{.pattern = "(?<loss>.)" + std::string(1024, 'x')};
       },
       "spec.loss.from.output.pattern", "must have at most 1024 characters"},
      {[](auto& job) {
         job.spec.driver->containers[0].command = {"train"};
         job.spec.loss.from = LossFrom{.metric = "nll", .pattern = "(?P<loss>.)"};
       },
       "spec.loss.from.output.metric", "can't be given together with pattern; leave it out, or pattern"},
      {[](auto& job) { job.spec.loss.query = "x"; }, "spec.loss.iterationQuery",
       "is missing; query and iterationQuery are given together"},
      {[](auto& job) { job.spec.loss.iterationQuery = "x"; }, "spec.loss.query",
       "is missing; query and iterationQuery are given together"},
      {[](auto& job) { job.spec.loss.query = std::string(4097, 'x'), job.spec.loss.iterationQuery = "x"; },
       "spec.loss.query", "must have at most 4096 characters"},
      {[](auto& job) { job.spec.loss.metric = job.spec.loss.iterationMetric = "m"; },
       "spec.loss.iterationMetric",
       "must be another metric than metric: the one that counts the iterations that are done"},
      {[](auto& job) { job.spec.loss.metric = kDefaultIterationMetric; }, "spec.loss.iterationMetric",
       "must be another metric than metric: the one that counts the iterations that are done"},
      {[](auto& job) { job.spec.loss.target = std::numeric_limits<double>::infinity(); }, "spec.loss.target",
       "must be a finite number, such as \"0.12\""},
      {[](auto& job) { job.spec.stop.lossReductionPercent = 100; }, "spec.stop.lossReductionPercent",
       "must be more than 0 and less than 100, such as \"95\""},
      {[](auto& job) { job.spec.stop.patience = 0; }, "spec.stop.patience", "must be at least 1"},
      {[](auto& job) { job.spec.stop.lossReductionPercent = std::nan(""); }, "spec.stop.lossReductionPercent",
       "must be more than 0 and less than 100, such as \"95\""},
      {[](auto& job) {
         job.spec.stop.lossReductionPercent = 95;
         job.spec.loss.convergence = Convergence::NonConvex;
       },
       "spec.loss.target",
       "must be given for stop.lossReductionPercent where convergence is NonConvex, such as \"0.12\""},
      {[](auto& job) { job.spec.stop.maxIterations = 0; }, "spec.stop.maxIterations", "must be at least 1"},
      {[](auto& job) { job.spec.stop.activeDeadline = Seconds(0); }, "spec.stop.activeDeadlineSeconds",
       "must be at least 1"},
      {[](auto& job) { job.spec.ttlAfterFinished = Seconds(-1); }, "spec.ttlSecondsAfterFinished",
       "must be 0 or more"},
  };
  for (const auto& [spoil, path, message] : cases) {
    auto job = scalingByCpu();
    spoil(job);
    EXPECT_EQ(validate(job), (std::vector<Violation>{{path, message}})) << path;
  }
}

TEST(Validation, CountsInTheResourceOfTheCapacity) {
  constexpr const char* kGpu = "nvidia.com/gpu";
  auto job = goodJob();
  job.spec.driver = podOf(Cores(0));
  EXPECT_TRUE(validate(job, kGpu).empty()) << "a driver needs no GPU";
  job.spec.workers.pod = podOf(Cores(0));
  EXPECT_EQ(
      validate(job, kGpu),
      (std::vector<Violation>{{"spec.workers.template.spec.containers[0].resources",
                               "must request nvidia.com/gpu, such as limits: {nvidia.com/gpu: 1}: it is "
                               "what a worker costs"}}));
  EXPECT_EQ(validate(scalingByCpu(), kGpu),
            (std::vector<Violation>{
                {"spec.workers.scaling", "must be Replicas where capacity is counted in nvidia.com/gpu"}}));
}

TEST(MetricName, IsWhatPrometheusAllows) {
  for (const std::string good : {"a", "_", "a:b", "slaq_training_loss", "A1"})
    EXPECT_TRUE(isMetricName(good)) << good;
  for (const std::string bad : {"", "1a", "a-b", "a b", "a|b", "a\"", "é"})
    EXPECT_FALSE(isMetricName(bad)) << bad;
}

TEST(Cost, IsTheSumOfRequestsWhereALimitStandsForAMissingRequest) {
  PodTemplate pod;
  pod.containers.push_back({.name = "a", .request = Cores(200), .limit = Cores(900)});
  pod.containers.push_back({.name = "b", .limit = Cores(300)});
  pod.containers.push_back({.name = "c"});
  EXPECT_EQ(coresOf(pod), Cores(500));
}

}  // namespace
}  // namespace slaq
