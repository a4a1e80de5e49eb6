// Section 4.3's goals with real trainers as processes of this machine.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>

#include "run.h"

namespace slaq::machine {
namespace {

// Logistic regression; `rows` make its iterations dear, a low learning rate makes it need many.
std::string job(const std::string& name, const std::string& more, int rows, int iterations,
                const std::string& learningRate = "4") {
  return R"(---
apiVersion: slaq.io/v1alpha1
kind: TrainingJob
metadata: {name: )" +
         name + R"(}
spec:
  )" + more +
         R"(
  workers:
    minReplicas: 1
    maxReplicas: 8
    template:
      spec:
        containers:
        - name: worker
          command: [slaq-trainer]
          args: [worker]
          resources: {requests: {cpu: 100m}, limits: {cpu: 100m}}
  driver:
    template:
      spec:
        containers:
        - name: driver
          command: [slaq-trainer]
          args: [driver, --algorithm=logistic-regression, --features=40, --tolerance=0, --condition=300,
                 --rows=)" +
         std::to_string(rows) + ", --iterations=" + std::to_string(iterations) +
         ", --learning-rate=" + learningRate + R"(]
          ports: [{name: driver, containerPort: 7070}, {name: metrics, containerPort: 9464}]
          resources: {requests: {cpu: 100m}, limits: {cpu: 100m}}
)";
}

TEST(Weights, LetTheHeavierOfTwoEqualJobsLearnFirst) {
  const Manifest both(job("light", "weight: 1", 150000, 250) + job("heavy", "weight: 4", 150000, 250));
  const LocalRun run = slaqRun("--cores 1100m --epoch 2 " + both.path());
  ASSERT_EQ(run.code, 0) << run.text;
  std::cout << "90% after " << run.jobs.at("heavy").to90 << " s with weight 4, " << run.jobs.at("light").to90
            << " s with weight 1\n";
  EXPECT_LT(run.jobs.at("heavy").to90, run.jobs.at("light").to90) << run.text;
}

// Iterations of one job are dear; one after the other jobs arrive whose next core is the better buy. Which
// policy helps the last one more is proved in virtual time; here is what it comes to among real processes.
TEST(MinQuality, TrainsAllJobsAsTotalQualityDoes) {
  std::string all = job("dear", "weight: 1", 1000000, 220, "0.2");
  for (const char* name : {"a", "b", "c", "d"}) all += job(name, "weight: 1", 250000, 300, "0.2");
  const Manifest five(all);
  for (const char* policy : {"TotalQuality", "MinQuality"}) {
    const LocalRun run = slaqRun("--cores 1500m --epoch 2 --interarrival 4 --policy " + std::string(policy) +
                                 " " + five.path());
    EXPECT_EQ(run.code, 0) << run.text;
    double latest = 0;
    for (const auto& [name, times] : run.jobs) {
      EXPECT_EQ(times.state, "Complete") << run.text;
      latest = std::max(latest, times.to90);
    }
    EXPECT_EQ(run.jobs.size(), 5u) << run.text;
    std::cout << "the slowest job has 90% of its reduction after " << latest << " s under " << policy << "\n";
  }
}

}  // namespace
}  // namespace slaq::machine
