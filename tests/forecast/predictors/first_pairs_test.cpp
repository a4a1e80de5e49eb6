// What is forecast of jobs that have shown little or nothing, from what other jobs did.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "forecast/predictors/ensemble_predictor.h"
#include "forecast/predictors/published.h"
#include "forecast/trainings.h"

namespace slaq::forecast {
namespace {

using test::seriesOf;

TEST(EnsemblePredictor, ForecastsFromThePopulationBeforeTheThirdPair) {
  const EnsemblePredictor predictor(defaultConstants());
  ForecastMemory memory;
  LossSeries series;
  for (int pairs = 0; pairs < 5; ++pairs) {
    const auto model = predictor.forecast("uid", series, {}, memory);
    ASSERT_TRUE(model) << pairs;
    const double k = series.empty() ? 0 : series.lastIteration().value();
    EXPECT_GT(model->curve.reduction(k, 10), 0) << pairs;
    series.add(Iterations(pairs), Loss(3 / (1.0 + pairs)));
  }
  EXPECT_FALSE(Published().forecast("uid", LossSeries(), {}, memory));
}

// Whatever few pairs there are, what is expected is finite and nothing rises.
TEST(EnsemblePredictor, IsFiniteWhateverTheFirstPairs) {
  const EnsemblePredictor predictor(defaultConstants());
  for (const double first : {0.0, 1.0, -3.0, 1e300, -1e300, 1e-300}) {
    for (const double second : {0.0, 1.0, -5.0, 1e300, -1e300, 2e-300}) {
      ForecastMemory memory;
      LossSeries series;
      for (const double loss : {first, second}) {
        series.add(Iterations(static_cast<double>(series.size() * 7)), Loss(loss));
        const auto model = predictor.forecast("uid", series, {}, memory);
        const double k = series.lastIteration().value();
        for (const double ahead : {0.5, 10.0, 1e6}) {
          const double reduction = model->curve.reduction(k, ahead);
          EXPECT_TRUE(std::isfinite(reduction) && reduction >= 0) << first << " " << second;
        }
      }
    }
  }
}

}  // namespace
}  // namespace slaq::forecast
