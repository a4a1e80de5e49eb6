#include "scheduler/runtime/learned_pauses.h"

#include <gtest/gtest.h>

#include <cmath>

namespace slaq::scheduler {
namespace {

// A trainer of 8 core-seconds an iteration, seen every second, that is told every 60 s to take 4 or 8
// workers.
TEST(LearnedPauses, AreKnownAfterAFewResizesGrowingAndShrinkingApart) {
  RuntimeModel runtime;
  LearnedPauses pauses;
  double done = 0;
  double still = 0;
  double cores = 4;
  for (int s = 0; s < 600; ++s) {
    const Time now = Time(Seconds(1000 + s));
    if (s % 60 == 0 && s > 0) {
      const bool grows = cores == 4;
      cores = grows ? 8 : 4;
      still = grows ? 6 : 2;
      pauses.resized(now, *runtime.iterationAt(now, Seconds(0)), grows ? 0.5 : 1.0,
                     Cores(static_cast<int>(1000 * cores)), grows, Seconds(0));
    }
    runtime.running(now, Cores(static_cast<int>(1000 * cores)));
    const double works = std::max(0.0, 1 - still);
    still = std::max(0.0, still - 1);
    done += works * cores / 8;
    const Time then = now + Seconds(1);
    runtime.sample(then, Iterations(std::floor(done)));
    pauses.sample(then, Iterations(std::floor(done)), runtime);
  }
  ASSERT_TRUE(pauses.grow() && pauses.shrink());
  EXPECT_NEAR(pauses.grow()->count(), 6, 1.5);
  EXPECT_NEAR(pauses.shrink()->count(), 2, 1.5);
}

// One iteration a second with 2 cores, two with 4. Each change falls back by 6 s of work and takes 3 s.
TEST(LearnedPauses, WorkThatIsLostIsLearnedApart) {
  RuntimeModel runtime;
  LearnedPauses pauses;
  double done = 0;
  double still = 0;
  double cores = 2;
  for (int s = 0; s < 600; ++s) {
    const Time now = Time(Seconds(1000 + s));
    if (s % 60 == 30) {
      const double speed = cores / 2;
      cores = cores == 2 ? 4 : 2;
      pauses.resized(now, *runtime.iterationAt(now, Seconds(0)), speed, Cores(static_cast<int>(1000 * cores)),
                     cores == 4, Seconds(0));
      done -= 6 * speed;
      still = 3;
    }
    runtime.running(now, Cores(static_cast<int>(1000 * cores)));
    if (still <= 0) done += cores / 2;
    still -= 1;
    const Time then = now + Seconds(1);
    runtime.sample(then, Iterations(std::floor(done)));
    pauses.sample(then, Iterations(std::floor(done)), runtime);
  }
  ASSERT_TRUE(pauses.lost() && pauses.grow() && pauses.shrink());
  EXPECT_NEAR(pauses.lost()->count(), 6, 1);
  EXPECT_NEAR(pauses.grow()->count(), 3, 1.5);
  EXPECT_NEAR(pauses.shrink()->count(), 3, 1.5);
}

// One iteration in 40 s with 2 cores, in 20 s with 4, a change every 300 s with a pause of 3 s. What was
// begun of an iteration is begun again, or not.
LearnedPauses pausesOfLongIterations(bool beginsAgain) {
  RuntimeModel runtime;
  LearnedPauses pauses;
  double done = 0;
  double still = 0;
  double cores = 2;
  for (int s = 0; s < 3000; ++s) {
    const Time now = Time(Seconds(1000 + s));
    if (s % 300 == 299) {
      const double speed = cores / 80;
      cores = cores == 2 ? 4 : 2;
      pauses.resized(now, *runtime.iterationAt(now, Seconds(0)), speed, Cores(static_cast<int>(1000 * cores)),
                     cores == 4, Seconds(0));
      if (beginsAgain) done = std::floor(done);
      still = 3;
    }
    runtime.running(now, Cores(static_cast<int>(1000 * cores)));
    if (still <= 0) done += cores / 80;
    still -= 1;
    const Time then = now + Seconds(1);
    runtime.sample(then, Iterations(std::floor(done)));
    pauses.sample(then, Iterations(std::floor(done)), runtime);
  }
  return pauses;
}

TEST(LearnedPauses, OfLongIterationsTellWhetherTheyAreBegunAgain) {
  const LearnedPauses goesOn = pausesOfLongIterations(false);
  ASSERT_TRUE(goesOn.lost() && goesOn.grow());
  EXPECT_LT(*goesOn.lost(), Seconds(3));
  EXPECT_LT(*goesOn.grow(), Seconds(6));
  const LearnedPauses beginsAgain = pausesOfLongIterations(true);
  EXPECT_FALSE(beginsAgain.lost());
  ASSERT_TRUE(beginsAgain.grow());
  EXPECT_GT(*beginsAgain.grow(), Seconds(10));
}

TEST(LearnedPauses, AJobWithoutWorkersShowsNoCost) {
  RuntimeModel runtime;
  LearnedPauses pauses;
  runtime.running(Time(Seconds(10)), Cores(1000));
  for (int s = 11; s < 30; ++s) runtime.sample(Time(Seconds(s)), Iterations(s));
  for (int n = 0; n < 3; ++n) {
    const double begin = 30 + 30 * n;
    pauses.resized(Time(Seconds(begin)), Iterations(begin), 0, Cores(2000), true, Seconds(0));
    for (int s = 1; s < 30; ++s) pauses.sample(Time(Seconds(begin + s)), Iterations(s), runtime);
  }
  EXPECT_FALSE(pauses.lost());
}

TEST(LearnedPauses, AreUnknownBeforeTwoWereSeen) {
  RuntimeModel runtime;
  LearnedPauses pauses;
  EXPECT_FALSE(pauses.grow());
  runtime.running(Time(Seconds(10)), Cores(1000));
  for (int s = 11; s < 30; ++s) runtime.sample(Time(Seconds(s)), Iterations(s));
  pauses.resized(Time(Seconds(30)), Iterations(30), 1, Cores(2000), true, Seconds(0));
  for (int s = 30; s < 60; ++s) {
    runtime.sample(Time(Seconds(s)), Iterations(2 * s));
    pauses.sample(Time(Seconds(s)), Iterations(2 * s), runtime);
  }
  EXPECT_FALSE(pauses.grow());
}

}  // namespace
}  // namespace slaq::scheduler
