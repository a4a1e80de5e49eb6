#include "forecast/ensemble/denoiser.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "forecast/trainings.h"

namespace slaq::forecast {
namespace {

using test::LossAt;

constexpr int kSeen = 100;

// What the denoiser has after iterations 0 to `until`, of which each loss was seen with so much noise.
Denoiser after(int until, const LossAt& loss, double noise = 0) {
  std::mt19937_64 random(2);
  std::normal_distribution<double> normal(0, 1);
  Denoiser denoiser;
  for (int k = 0; k <= until; ++k) denoiser.add(k, loss(k) + noise * normal(random));
  return denoiser;
}

double meanTrust(int from, int until, const LossAt& loss, double noise) {
  double trust = 0;
  for (int k = from; k <= until; ++k) trust += after(k, loss, noise).trust();
  return trust / (until - from + 1);
}

TEST(Denoiser, IsNotTrustedWithSmoothLosses) {
  for (const auto& training : test::convexTrainings()) {
    for (int k = 0; k <= kSeen; ++k) ASSERT_EQ(after(k, training.loss).trust(), 0) << training.name << k;
  }
}

TEST(Denoiser, IsTrustedWithSteadyLossesSeenThroughNoise) {
  for (const auto& training : test::convexTrainings()) {
    EXPECT_GT(meanTrust(20, kSeen, training.loss, 0.03), 0.5) << training.name;
  }
}

TEST(Denoiser, FindsTheLossUnderTheNoise) {
  constexpr double kNoise = 0.03;
  for (const auto& training : test::convexTrainings()) {
    double error = 0;
    int count = 0;
    for (int k = 20; k <= kSeen; ++k) {
      const auto denoiser = after(k, training.loss, kNoise);
      if (!(denoiser.trust() > 0)) continue;
      error += std::abs(denoiser.at(k) - training.loss(k));
      ++count;
    }
    EXPECT_LT(error / count, 0.5 * kNoise) << training.name;
  }
}

TEST(Denoiser, HasTheNewestLossBetweenWhatWasSeenAndWhatThePowerLawsSay) {
  const auto loss = test::convexTrainings()[1].loss;
  auto denoiser = after(50, loss, 0.03);
  double k = 50;
  for (const double off : {-0.03, 0.04, -0.02, 0.03}) {
    ++k;
    denoiser.add(k, loss(k) + off);
    ASSERT_GT(denoiser.trust(), 0);
    const double seen = loss(k) + off;
    EXPECT_GT(denoiser.newest(), std::min(seen, denoiser.at(k)));
    EXPECT_LT(denoiser.newest(), std::max(seen, denoiser.at(k)));
  }
}

TEST(Denoiser, IsNotTrustedWhereALossStepsDown) {
  const auto steps = [](double k) { return k < 50 ? 1 : 0.5; };
  EXPECT_GT(meanTrust(20, 49, steps, 0.01), 0.4);
  EXPECT_LT(meanTrust(50, 80, steps, 0.01), 0.01);
}

TEST(Denoiser, SaysTheSameOfALossInOtherUnitsOrRaised) {
  const auto plain = test::convexTrainings()[1].loss;
  const auto raised = [&](double k) { return 1000 * (plain(k) + 10); };
  for (int k = 5; k <= kSeen; ++k) {
    const auto one = after(k, plain, 0.03);
    const auto other = after(k, raised, 30);
    ASSERT_NEAR(other.trust(), one.trust(), 1e-3) << k;
    if (one.trust() > 0) {
      ASSERT_NEAR(other.at(k + 10) / 1000 - 10, one.at(k + 10), 1e-4) << k;
    }
  }
}

TEST(Denoiser, SaysNothingOfALossThatNeverChanges) {
  EXPECT_EQ(after(kSeen, [](double) { return 3; }).trust(), 0);
  EXPECT_EQ(after(kSeen, [](double) { return 3; }).newest(), 3);
}

TEST(Denoiser, ForgetsAFlickerBesideARealChange) {
  const auto loss = [](double k) { return k < 20 ? 1 + 1e-13 * std::sin(k) : 1 / (1 + 0.1 * (k - 20)); };
  for (int k = 0; k <= kSeen; ++k) EXPECT_EQ(after(k, loss).newest(), loss(k)) << k;
  std::mt19937_64 random(4);
  std::normal_distribution<double> normal(0, 0.03);
  Denoiser denoiser;
  for (int k = 0; k <= 60; ++k) denoiser.add(k, loss(k) + (k < 20 ? 0 : normal(random)));
  EXPECT_GT(denoiser.trust(), 0.1);
}

TEST(Denoiser, GoesOnAfterIterationsBelowZero) {
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal(0, 0.03);
  Denoiser denoiser;
  for (int k = -4; k <= 60; ++k) denoiser.add(k, 1 / (1 + 0.1 * (k + 5)) + normal(random));
  EXPECT_GT(denoiser.trust(), 0.1);
}

TEST(Denoiser, StaysFiniteWhateverItSees) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal(0, 1);
  for (int round = 0; round < 200; ++round) {
    Denoiser denoiser;
    double k = 0;
    for (int i = 0; i < 60; ++i) {
      denoiser.add(k, normal(random) * std::pow(10, normal(random) * 2 * (round % 50)));
      k += 1 + std::floor(std::abs(normal(random)) * (round % 7) * 1000);
      ASSERT_GE(denoiser.trust(), 0);
      ASSERT_LE(denoiser.trust(), 1);
      if (denoiser.trust() > 0) {
        ASSERT_TRUE(std::isfinite(denoiser.at(10 * k))) << round << " " << i;
      }
    }
  }
}

}  // namespace
}  // namespace slaq::forecast
