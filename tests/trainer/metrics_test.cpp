#include "trainer/training/metrics.h"

#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <string>
#include <thread>

namespace slaq::trainer {
namespace {

std::map<std::string, double> valuesOf(const training::Metrics& metrics) {
  std::map<std::string, double> values;
  for (const prometheus::MetricFamily& family : metrics.Collect()) {
    const auto& metric = family.metric.at(0);
    const bool counter = family.type == prometheus::MetricType::Counter;
    values[family.name] = counter ? metric.counter.value : metric.gauge.value;
  }
  return values;
}

TEST(Metrics, ExportNoLossBeforeItIsKnown) {
  const auto values = valuesOf(training::Metrics());
  EXPECT_FALSE(values.contains("slaq_training_loss"));
  EXPECT_FALSE(values.contains("slaq_training_initial_loss"));
  EXPECT_EQ(values.at("slaq_training_iterations_total"), 0);
}

TEST(Metrics, ExportTheLatestAndTheFirstLoss) {
  training::Metrics metrics;
  metrics.setProgress({0, 4});
  metrics.setProgress({1, 3});
  metrics.setWorkers(5);
  metrics.addCpuSeconds(0.5);
  metrics.addCpuSeconds(0.25);
  const std::map<std::string, double> expected{{"slaq_training_loss", 3},
                                               {"slaq_training_initial_loss", 4},
                                               {"slaq_training_iterations_total", 1},
                                               {"slaq_training_cpu_seconds_total", 0.75},
                                               {"slaq_training_workers", 5}};
  EXPECT_EQ(valuesOf(metrics), expected);
}

TEST(Metrics, NeverMixTwoIterations) {
  training::Metrics metrics;
  metrics.setProgress({0, 0});
  std::atomic<bool> over = false;
  std::thread writer([&] {
    for (std::int64_t k = 0; !over; ++k) metrics.setProgress({k, static_cast<double>(2 * k)});
  });
  for (int i = 0; i < 2000; ++i) {
    const auto values = valuesOf(metrics);
    EXPECT_EQ(values.at("slaq_training_loss"), 2 * values.at("slaq_training_iterations_total"));
  }
  over = true;
  writer.join();
}

TEST(Metrics, RefuseAPortThatIsInUse) {
  const auto metrics = std::make_shared<training::Metrics>();
  const auto first = training::serveMetrics(metrics, 0);
  ASSERT_TRUE(first);
  const auto second = training::serveMetrics(metrics, (*first)->port());
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().kind, ErrorKind::Invalid);
}

}  // namespace
}  // namespace slaq::trainer
