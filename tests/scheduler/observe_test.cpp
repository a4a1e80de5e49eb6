#include "scheduler/state/observe.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "scheduler/world.h"

namespace slaq::scheduler {
namespace {

using slaq::testing::at;
using slaq::testing::run;
using slaq::testing::viewOf;

// Pods seldom become ready all at once. An iteration takes 13 seconds of one worker; of 47 workers seven are
// ready after 0.6 seconds and all after 1.6.
constexpr double kCost = 13;

double iterationsAfter(double seconds) {
  return (7 * std::clamp(seconds - 0.6, 0.0, 1.0) + 47 * std::max(0.0, seconds - 1.6)) / kCost;
}

class ObserveAStart : public ::testing::Test {
 protected:
  void look(double seconds, int ready, double changed) {
    run(view, 47).workers.ready = Workers(ready);
    view.workers.readyChanged = at(0) + Seconds(changed);
    observe(history, view, at(0) + Seconds(seconds));
  }
  void sample(int second) {
    const double done = std::floor(iterationsAfter(second));
    learn(history, at(second), Iterations(done), Loss(std::exp(-0.01 * done)), {});
  }

  JobHistory history;
  JobView view = viewOf("a");
};

TEST_F(ObserveAStart, WhatAllWorkersDoIsNotTakenForWhatTheFirstDid) {
  observe(history, view, at(-1));
  look(0, 0, -1);
  look(0.9, 7, 0.6);
  look(3.9, 47, 1.6);
  for (const int second : {1, 2, 3}) sample(second);
  const auto measured = history.runtime.measured();
  ASSERT_EQ(measured.size(), 1u);
  EXPECT_NEAR(measured[0].seconds * measured[0].size / kCost, 1, 0.25);
}

TEST(Observe, CountsSpacingsOfSamplesOnlyWhileTheJobRan) {
  JobHistory history;
  auto view = viewOf("a");
  const auto sampleAt = [&](double time, int iteration) {
    learn(history, at(time), Iterations(iteration), Loss(1), {});
  };
  // What an older controller left in Prometheus is read in steps of a history.
  run(view, 2);
  observe(history, view, at(10'000));
  for (int k = 0; k < 10; ++k) sampleAt(1000.0 * k, k);
  EXPECT_FALSE(history.losses.sampleTimes.spacing());
  // Each run brings one sample.
  for (int k = 11; k < 20; ++k) {
    observe(history, run(view, 2), at(1000.0 * k));
    sampleAt(1000.0 * k + 1, k);
    view.workers = {};
    observe(history, view, at(1000.0 * k + 2));
  }
  EXPECT_FALSE(history.losses.sampleTimes.spacing());
  observe(history, run(view, 2), at(30'000));
  for (int k = 1; k < 5; ++k) sampleAt(30'000 + 5 * k, 20 + k);
  EXPECT_EQ(history.losses.sampleTimes.spacing(), Seconds(5));
}

}  // namespace
}  // namespace slaq::scheduler
