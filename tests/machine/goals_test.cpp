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

// Iterations of one job are dear; one after the other jobs arrive whose next core is the better buy.
TEST(MinQuality, BringsTheWorstJobDownFasterThanTotalQualityDoes) {
  std::string all = job("dear", "weight: 1", 1000000, 300, "0.2");
  for (const char* name : {"a", "b", "c", "d", "e"}) all += job(name, "weight: 1", 250000, 400, "0.2");
  const Manifest six(all);
  const auto worst = [&](const std::string& policy) {
    const LocalRun run =
        slaqRun("--cores 1500m --epoch 2 --interarrival 4 --policy " + policy + " " + six.path());
    EXPECT_EQ(run.code, 0) << run.text;
    double latest = 0;
    for (const auto& [name, times] : run.jobs) latest = std::max(latest, times.to90);
    return latest;
  };
  const double total = worst("TotalQuality");
  const double minimum = worst("MinQuality");
  std::cout << "the slowest job has 90% of its reduction after " << minimum << " s under MinQuality, "
            << total << " s under TotalQuality\n";
  EXPECT_LT(minimum, 1.1 * total) << "a third less where nothing else disturbs";
}

}  // namespace
}  // namespace slaq::machine
