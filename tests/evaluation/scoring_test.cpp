// The quick scores of tables of experts are the errors of the product's forecasts.
#include <gtest/gtest.h>

#include <cmath>

#include "forecast/ensemble/ensemble.h"
#include "forecast/ensemble/fitted_constants.h"
#include "scoring/table_score.h"

namespace slaq::evaluation {
namespace {

constexpr std::size_t kLast = 90;

RecordedSeries recordedOf(double (*loss)(double), std::size_t gap) {
  RecordedSeries recorded;
  for (std::size_t k = 0; k <= kLast + 10; ++k) recorded.truth.push_back(loss(static_cast<double>(k)));
  for (std::size_t k = 0; k <= kLast; k += gap) {
    recorded.iterations.push_back(static_cast<double>(k));
    recorded.losses.push_back(recorded.truth[k]);
  }
  recorded.range = 2;
  return recorded;
}

double errorOfProduct(const RecordedSeries& recorded) {
  forecast::LossSeries series;
  forecast::Ensemble ensemble(forecast::defaultConstants().experts);
  double sum = 0, count = 0;
  for (std::size_t i = 0; i < recorded.iterations.size(); ++i) {
    const double k = recorded.iterations[i];
    series.add(Iterations(k), Loss(recorded.losses[i]));
    ensemble.follow(series, {});
    if (k < 5 || series.size() < 3) continue;
    sum += std::abs(ensemble.curve().at(k + 10) - recorded.truth[static_cast<std::size_t>(k) + 10]);
    ++count;
  }
  return sum / count / recorded.range;
}

std::size_t numberOf(const forecast::Expert& expert) {
  const auto found = expert.shape == forecast::Shape::Level
                         ? candidates().begin()
                         : std::find(candidates().begin() + 1, candidates().end(), expert);
  return static_cast<std::size_t>(found - candidates().begin());
}

double falling(double k) { return 1 + 3 / (1 + 0.2 * k); }
double fallingToZero(double k) { return 2 * std::exp(-0.05 * k); }
double belowZero(double k) { return std::exp(-0.03 * k) - 5; }
double wavy(double k) { return 3 / (1 + 0.1 * k) + 0.2 * std::sin(1.7 * k); }

struct Case {
  const char* name;
  double (*loss)(double);
  std::size_t gap;
};

class Scores : public testing::TestWithParam<Case> {};

TEST_P(Scores, AreTheErrorsOfTheProduct) {
  const RecordedSeries recorded = recordedOf(GetParam().loss, GetParam().gap);
  std::vector<std::size_t> table;
  for (const auto& expert : forecast::defaultConstants().experts) table.push_back(numberOf(expert));
  const std::size_t last = table.back();
  table.pop_back();
  const TableScores scores = scoresWithEachAdded(table, prepare(recorded, 1));
  const double error = errorOfProduct(recorded);
  EXPECT_NEAR(scores.ofRange[last], error, 1e-3 * error + 1e-7);
}

INSTANTIATE_TEST_SUITE_P(All, Scores,
                         testing::Values(Case{"Falling", falling, 1}, Case{"Zero", fallingToZero, 1},
                                         Case{"BelowZero", belowZero, 1}, Case{"Wavy", wavy, 1},
                                         Case{"EveryFifth", falling, 5}),
                         [](const auto& info) { return info.param.name; });

TEST(Candidates, AreAllDifferentAndTheFirstExpectsNoChange) {
  EXPECT_EQ(candidates()[0].shape, forecast::Shape::Level);
  for (std::size_t i = 0; i < kCandidates; ++i) {
    for (std::size_t j = i + 1; j < kCandidates; ++j) EXPECT_FALSE(candidates()[i] == candidates()[j]);
  }
}

}  // namespace
}  // namespace slaq::evaluation
