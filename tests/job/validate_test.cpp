#include "job/validate.h"

#include <gtest/gtest.h>

#include <functional>

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
      {"spec.weight", [](auto& job) { job.spec.weight = 0; }},
      {"spec.weight", [](auto& job) { job.spec.weight = 1001; }},
      {"spec.workers.minReplicas", [](auto& job) { job.spec.workers.min = Workers(0); }},
      {"spec.workers.maxReplicas", [](auto& job) { job.spec.workers.min = Workers(9); }},
      {"spec.workers.replicas", [](auto& job) { job.spec.workers.pinned = Workers(9); }},
      {"spec.workers.replicas", [](auto& job) { job.spec.workers.pinned = Workers(-1); }},
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

TEST(Cost, IsTheSumOfRequestsWhereALimitStandsForAMissingRequest) {
  PodTemplate pod;
  pod.containers.push_back({.name = "a", .request = Cores(200), .limit = Cores(900)});
  pod.containers.push_back({.name = "b", .limit = Cores(300)});
  pod.containers.push_back({.name = "c"});
  EXPECT_EQ(coresOf(pod), Cores(500));
}

}  // namespace
}  // namespace slaq
