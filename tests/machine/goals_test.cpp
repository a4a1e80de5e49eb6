// Section 4.3's goals with real trainers as processes of this machine.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>

#include "run.h"

namespace slaq::machine {
namespace {

// Logistic regression; `rows` make its iterations dear, a better condition makes them count for more.
std::string job(const std::string& name, const std::string& more, int rows, int iterations) {
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
         std::to_string(rows) + ", --iterations=" + std::to_string(iterations) + R"(]
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

// One of them has iterations that are six times as dear: the others look like the better use of a core.
TEST(MinQuality, HelpsTheWorstJobMoreThanTotalQualityDoes) {
  const Manifest three(job("cheap-a", "weight: 1", 60000, 500) + job("cheap-b", "weight: 1", 60000, 500) +
                       job("dear", "weight: 1", 360000, 150));
  const auto worst = [&](const std::string& policy) {
    const LocalRun run = slaqRun("--cores 1300m --epoch 2 --policy " + policy + " " + three.path());
    EXPECT_EQ(run.code, 0) << run.text;
    double latest = 0;
    for (const auto& [name, times] : run.jobs) latest = std::max(latest, times.toHalf);
    return latest;
  };
  const double total = worst("TotalQuality");
  const double minimum = worst("MinQuality");
  std::cout << "the last job has half of its reduction after " << minimum << " s under MinQuality, " << total
            << " s under TotalQuality\n";
  EXPECT_LT(minimum, total);
}

}  // namespace
}  // namespace slaq::machine
