#include "forecast/predictors/registry.h"

#include <gmock/gmock.h>

#include <cmath>
#include <set>
#include <typeindex>

namespace slaq::forecast {
namespace {

using ::testing::ElementsAre;

TEST(Registry, MakesEachPredictorByItsName) {
  EXPECT_THAT(predictorNames(), ElementsAre("Strawman", "Published", "Ensemble"));
  std::set<std::type_index> kinds;
  for (const auto name : predictorNames()) {
    const auto predictor = makePredictor(name, defaultConstants());
    ASSERT_NE(predictor, nullptr);
    const Predictor& made = *predictor;
    kinds.insert(typeid(made));
  }
  EXPECT_EQ(kinds.size(), predictorNames().size());
}

TEST(Registry, HasNoOtherPredictors) {
  EXPECT_EQ(makePredictor("Best", defaultConstants()), nullptr);
  EXPECT_EQ(makePredictor("", defaultConstants()), nullptr);
}

TEST(Registry, GivesItsConstantsToThePredictor) {
  FittedConstants constants = defaultConstants();
  constants.firstCurve.fill(0.5);
  ForecastMemory memory;
  const auto usual = makePredictor("Ensemble", defaultConstants())->forecast("uid", {}, {}, memory);
  const auto level = makePredictor("Ensemble", constants)->forecast("uid", {}, {}, memory);
  EXPECT_GT(usual->curve.reduction(1, 20), level->curve.reduction(1, 20));
}

// One expert of the ensemble can be heard alone where the others are told to expect no change.
TEST(Registry, GivesItsExpertsToThePredictor) {
  FittedConstants constants = defaultConstants();
  constants.experts.fill({});
  LossSeries series;
  for (int k = 0; k < 20; ++k) series.add(Iterations(k), Loss(1 / (1 + 0.1 * k)));
  ForecastMemory memory, other;
  const auto level = makePredictor("Ensemble", constants)->forecast("uid", series, {}, memory);
  const auto falling = makePredictor("Ensemble", defaultConstants())->forecast("uid", series, {}, other);
  EXPECT_NEAR(level->curve.reduction(19, 10), 0, 1e-12);
  EXPECT_NEAR(falling->curve.at(29), 1 / 3.9, 1e-3);
}

}  // namespace
}  // namespace slaq::forecast
