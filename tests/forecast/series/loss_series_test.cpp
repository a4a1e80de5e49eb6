#include "forecast/series/loss_series.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <random>

namespace slaq::forecast {
namespace {

using Verdict = LossSeries::Verdict;

Verdict add(LossSeries& series, double k, double loss) { return series.add(Iterations(k), Loss(loss)); }

TEST(LossSeries, KeepsPairsThatAreNotConsecutive) {
  LossSeries series;
  EXPECT_EQ(add(series, 0, 10), Verdict::Added);
  EXPECT_EQ(add(series, 7, 4), Verdict::Added);
  EXPECT_EQ(add(series, 31, 2), Verdict::Added);
  ASSERT_EQ(series.size(), 3u);
  EXPECT_EQ(series.iterations()[1], 7);
  EXPECT_EQ(series.losses()[2], 2);
  EXPECT_EQ(series.first(), Loss(10));
  EXPECT_EQ(series.last(), Loss(2));
}

using Change = LossSeries::Change;

LossSeries seriesOf(int pairs, const std::function<double(int)>& loss) {
  LossSeries series;
  for (int k = 0; k < pairs; ++k) add(series, k, loss(k));
  return series;
}

TEST(LossSeries, KnowsWhetherTheLossHasFallen) {
  std::mt19937_64 random(5);
  std::normal_distribution<double> noise(0, 0.1);
  struct Case {
    const char* name;
    std::function<double(int)> loss;
    Change change;
  };
  const Case cases[] = {
      {"falling", [](int k) { return 0.1 + 2 * std::exp(-k / 20.0); }, Change::Fallen},
      {"rising", [](int k) { return 0.95 - 0.85 * std::exp(-k / 20.0); }, Change::Risen},
      {"constant", [](int) { return 0.7; }, Change::None},
      {"falling below zero", [](int k) { return 2 * std::exp(-k / 20.0) - 1; }, Change::Fallen},
      {"falling with noise", [&](int k) { return 2 * std::exp(-k / 20.0) + noise(random); }, Change::Fallen},
      {"fallen at once, then noise", [&](int k) { return (k < 2 ? 5 : 1) + noise(random); }, Change::Fallen},
      {"one spike", [](int k) { return (k == 30 ? 40 : 2) * std::exp(-k / 20.0); }, Change::Fallen},
      {"in steps", [](int k) { return 3.0 - k / 15; }, Change::Fallen},
      {"risen after it fell", [](int k) { return 1 + std::abs(k - 20) / 20.0; }, Change::Risen},
  };
  for (const auto& each : cases) EXPECT_EQ(seriesOf(60, each.loss).change(), each.change) << each.name;
  for (const int pairs : {1, 2, 3, 4, 5, 8}) {
    EXPECT_EQ(seriesOf(pairs, cases[0].loss).change(), pairs > 1 ? Change::Fallen : Change::None) << pairs;
    EXPECT_EQ(seriesOf(pairs, cases[2].loss).change(), Change::None) << pairs;
  }
  EXPECT_EQ(LossSeries().change(), Change::None);
}

TEST(LossSeries, TakesNoiseForAFallInOneOfAHundredAtMost) {
  std::mt19937_64 random(7);
  std::normal_distribution<double> noise(1, 0.1);
  for (const int pairs : {8, 20, 64, 300}) {
    int fallen = 0;
    for (int i = 0; i < 500; ++i)
      fallen += seriesOf(pairs, [&](int) { return noise(random); }).change() == Change::Fallen ? 1 : 0;
    EXPECT_LE(fallen, 10) << pairs;
  }
}

// An evaluation now and then, which is exported again with each iteration.
TEST(LossSeries, TakesNoiseForNoFallWhereEachLossIsSeenOften) {
  std::mt19937_64 random(7);
  std::normal_distribution<double> noise(1, 0.1);
  int fallen = 0;
  for (int i = 0; i < 500; ++i) {
    double loss = 0;
    const auto seldom = [&](int k) { return k % 8 == 0 ? loss = noise(random) : loss; };
    fallen += seriesOf(64, seldom).change() == Change::Fallen ? 1 : 0;
  }
  EXPECT_LE(fallen, 10);
}

// A loss of validation data, computed in every 50th iteration and seen in every 3rd.
TEST(LossSeries, TakesALossThatWasNotComputedAgainForNoNews) {
  LossSeries series;
  const auto evaluated = [](int k) { return 10.0 / (1 + k / 50); };
  for (int k = 0; k <= 500; k += 3) add(series, k, evaluated(k));
  EXPECT_EQ(series.size(), 10u);
  EXPECT_EQ(series.lastIteration(), Iterations(450));
  for (std::size_t i = 1; i < series.size(); ++i) EXPECT_LT(series.losses()[i], series.losses()[i - 1]);
}

TEST(LossSeries, KnowsThatALossStaysOnceItStayedForLongerThanEver) {
  LossSeries series;
  for (int k = 0; k <= 10; ++k) add(series, k, 10.0 - k);
  EXPECT_EQ(add(series, 11, 0), Verdict::Unchanged);
  EXPECT_EQ(add(series, 12, 0), Verdict::Unchanged);
  EXPECT_EQ(add(series, 13, 0), Verdict::Added);
  EXPECT_EQ(add(series, 14, 0), Verdict::Added);
  EXPECT_EQ(add(series, 15, -1), Verdict::Added);
  EXPECT_EQ(add(series, 25, -1), Verdict::Unchanged) << "a loss stayed for five iterations before";
  EXPECT_EQ(add(series, 26, -1), Verdict::Added);
}

TEST(LossSeries, KnowsThatTheOnlyLossStaysAfterSoManyOfIt) {
  LossSeries series;
  int k = 0;
  while (series.size() < 2 && k < 100) add(series, k++, 5);
  EXPECT_EQ(k, 34);
}

// The loss before the first iteration, and the first sample after a restart of the controller.
TEST(LossSeries, LearnsNothingFromWhatWasNotSampled) {
  LossSeries series;
  add(series, 0, 2.3);
  add(series, 1000000, 0.12);
  int passedOver = 0;
  while (add(series, 1000001 + passedOver, 0.12) == Verdict::Unchanged) ++passedOver;
  EXPECT_EQ(passedOver, 32);
}

// The source of the losses was down for 20000 iterations.
TEST(LossSeries, TakesNoGapBetweenSamplesForAStay) {
  LossSeries series;
  for (int k = 0; k <= 100; k += 10) add(series, k, 1000.0 - k);
  add(series, 20000, 5);
  EXPECT_EQ(add(series, 20020, 5), Verdict::Unchanged);
  EXPECT_EQ(add(series, 20030, 5), Verdict::Added);
}

TEST(LossSeries, PassesNoLossOverForEver) {
  LossSeries series;
  for (int k = 0; k <= 100000; ++k) add(series, k, k < 50000 ? 2 : 1);
  int added = 0;
  for (int k = 100001; k <= 100600; ++k) added += add(series, k, 0.5) == Verdict::Added ? 1 : 0;
  EXPECT_EQ(added, 600 - 512);
}

// A trainer that started again from a checkpoint.
TEST(LossSeries, KnowsWhenTheLossChangedWhereALaterOneWasForgotten) {
  LossSeries same;
  for (int k = 0; k <= 40; ++k) add(same, k, k < 20 ? 30.0 - k : 1.0);
  EXPECT_EQ(add(same, 30, 1), Verdict::Restarted);
  EXPECT_EQ(add(same, 31, 1), Verdict::Added) << "it has stayed since iteration 20";
  LossSeries other;
  for (int k = 0; k <= 40; ++k) add(other, k, 50.0 - k);
  EXPECT_EQ(add(other, 30, 7), Verdict::Restarted);
  EXPECT_EQ(add(other, 32, 7), Verdict::Unchanged) << "it has stayed since iteration 30";
  EXPECT_EQ(add(other, 33, 7), Verdict::Added);
}

TEST(LossSeries, IgnoresAnIterationSeenBefore) {
  LossSeries series;
  add(series, 3, 5);
  const auto revision = series.revision();
  EXPECT_EQ(add(series, 3, 4), Verdict::Repeated);
  EXPECT_EQ(series.revision(), revision);
  EXPECT_EQ(series.last(), Loss(5));
}

TEST(LossSeries, IgnoresWhatIsNotFinite) {
  LossSeries series;
  add(series, 1, 5);
  EXPECT_EQ(add(series, 2, std::nan("")), Verdict::NotFinite);
  EXPECT_EQ(add(series, 2, std::numeric_limits<double>::infinity()), Verdict::NotFinite);
  EXPECT_EQ(series.size(), 1u);
}

TEST(LossSeries, TakesNegativeLosses) {
  LossSeries series;
  add(series, 0, -1);
  add(series, 1, -5);
  EXPECT_DOUBLE_EQ(series.largestDecrease(), 4);
}

TEST(LossSeries, ForgetsWhatARestartedTrainerRepeats) {
  LossSeries series;
  for (int k = 0; k <= 10; ++k) add(series, k, 100.0 - k);
  EXPECT_EQ(add(series, 5, 95.5), Verdict::Restarted);
  EXPECT_EQ(series.size(), 6u);
  EXPECT_EQ(series.lastIteration(), Iterations(5));
  EXPECT_EQ(series.last(), Loss(95.5));
}

// Whatever is added, thinned out and forgotten.
TEST(LossSeries, KnowsTheExtremesOfItsLosses) {
  std::mt19937_64 random(1);
  LossSeries series;
  double k = 0;
  for (int i = 0; i < 2000; ++i) {
    k = random() % 50 == 0 ? std::max(0.0, k - 40) : k + 1;
    add(series, k, std::normal_distribution<double>()(random));
    EXPECT_EQ(series.lowest(), std::ranges::min(series.losses())) << i;
    EXPECT_EQ(series.highest(), std::ranges::max(series.losses())) << i;
  }
}

TEST(LossSeries, NormalizesByTheLargestDecreasePerIterationOfTheRunningMinimum) {
  LossSeries series;
  add(series, 0, 100);
  add(series, 10, 60);   // 4 an iteration
  add(series, 11, 200);  // a spike
  add(series, 12, 59);   // back: half an iteration's worth below the minimum, not 141
  EXPECT_DOUBLE_EQ(series.largestDecrease(), 4);
}

TEST(LossSeries, ThinsItsOlderHalfWhenFullAndKeepsTheFirstPair) {
  LossSeries series;
  for (int k = 0; k < 1000; ++k) add(series, k, 1000.0 / (k + 1));
  EXPECT_LE(series.size(), LossSeries::kCapacity);
  EXPECT_GE(series.size(), LossSeries::kCapacity / 2);
  EXPECT_EQ(series.iterations()[0], 0);
  EXPECT_EQ(series.lastIteration(), Iterations(999));
  for (std::size_t i = 1; i < series.size(); ++i) {
    EXPECT_LT(series.iterations()[i - 1], series.iterations()[i]);
  }
}

}  // namespace
}  // namespace slaq::forecast
