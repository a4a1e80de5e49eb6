#include "forecast/ensemble/ensemble.h"

#include <gtest/gtest.h>

#include <cmath>

#include "forecast/ensemble/fitted_constants.h"
#include "forecast/trainings.h"

namespace slaq::forecast {
namespace {

using test::LossAt;

TEST(Ensemble, TakesInManyPairsAtOnce) {
  const LossAt near = [](double k) { return 1 / (1 + 0.1 * k); };
  const LossAt raised = [](double k) { return 10 + 0.3 * std::exp(-0.05 * k) + 0.3 / (1 + k); };
  const LossAt throughZero = [](double k) { return 1 - 0.1 * k; };
  for (const auto& loss : {near, raised, throughZero}) {
    LossSeries series;
    Ensemble often(defaultConstants().experts), once(defaultConstants().experts);
    for (int k = 0; k < 60; ++k) {
      series.add(Iterations(k), Loss(loss(k)));
      often.follow(series, {});
    }
    once.follow(series, {});
    EXPECT_DOUBLE_EQ(often.curve().at(80), once.curve().at(80)) << loss(0);
  }
}

}  // namespace
}  // namespace slaq::forecast
