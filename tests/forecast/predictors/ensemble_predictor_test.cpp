#include "forecast/predictors/ensemble_predictor.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "forecast/predictors/registry.h"
#include "forecast/trainings.h"

namespace slaq::forecast {
namespace {

using test::LossAt;
using test::seriesOf;

// What one job's predictor sees and says.
class Watched {
 public:
  explicit Watched(std::string_view predictor = "Ensemble")
      : predictor_(makePredictor(predictor, defaultConstants())) {}

  void see(double k, double loss, std::optional<double> target = {}) {
    series_.add(Iterations(k), Loss(loss));
    model_ = predictor_->forecast("uid", series_, {.target = target}, memory_);
  }
  double at(double k) const { return model_->curve.at(k); }
  const std::optional<ConvergenceModel>& model() const { return model_; }
  const LossSeries& series() const { return series_; }

 private:
  std::unique_ptr<Predictor> predictor_;
  LossSeries series_;
  ForecastMemory memory_;
  std::optional<ConvergenceModel> model_;
};

struct Seeing {
  int from = 1;  // iterations between what is seen, or at random gaps up to `to`
  int to = 1;
  double noise = 0;
  std::string_view predictor = "Ensemble";
};

// The mean error 10 iterations ahead after those from 20 to 100, as a share of the range 0..200.
double rangeError(const LossAt& truth, const Seeing& seeing = {}) {
  std::mt19937_64 random(4);
  std::normal_distribution<double> normal;
  std::uniform_int_distribution<int> gap(seeing.from, seeing.to);
  Watched job(seeing.predictor);
  double sum = 0;
  int count = 0;
  for (int k = 0; k <= 100; k += gap(random)) {
    job.see(k, truth(k) * (1 + seeing.noise * normal(random)));
    if (k < 20 || !job.model()) continue;
    sum += std::abs(job.at(k + 10) - truth(k + 10));
    ++count;
  }
  return sum / count / std::abs(truth(0) - truth(200));
}

double meanRangeError(const Seeing& seeing, const std::function<LossAt(const LossAt&)>& changed) {
  double sum = 0;
  for (const auto& training : test::convexTrainings()) sum += rangeError(changed(training.loss), seeing);
  return sum / static_cast<double>(test::convexTrainings().size());
}

double meanRangeError(const Seeing& seeing = {}) {
  return meanRangeError(seeing, [](const LossAt& loss) { return loss; });
}

TEST(EnsemblePredictor, ForecastsLossesThatFallSteadily) {
  for (const auto& training : test::convexTrainings())
    EXPECT_LT(rangeError(training.loss), 0.005) << training.name;
  EXPECT_LT(meanRangeError(), 0.0015);
}

// The mean of |forecast - true| / true 10 iterations ahead after those from 5 to 100.
double relativeError(const LossAt& truth) {
  Watched job;
  double sum = 0;
  for (int k = 0; k <= 100; ++k) {
    job.see(k, truth(k));
    if (k >= 5) sum += std::abs(job.at(k + 10) - truth(k + 10)) / truth(k + 10);
  }
  return sum / 96;
}

TEST(EnsemblePredictor, ForecastsLossesThatFallByOrdersOfMagnitude) {
  const LossAt falls[] = {
      [](double k) { return std::exp(-0.15 * k); },
      [](double k) { return 5e-5 + 0.5 * std::exp(-0.12 * k); },
      [](double k) { return 0.01 + 2 / (1 + std::pow(k / 6, 3)); },
      [](double k) { return 1e-3 + std::exp(-0.1 * k) + 0.05 * std::exp(-0.03 * k); },
  };
  for (const auto& loss : falls) EXPECT_LT(relativeError(loss), 0.07) << loss(100);
}

TEST(EnsemblePredictor, ForecastsBetterThanThePublishedCurves) {
  EXPECT_LT(meanRangeError(), 0.7 * meanRangeError({.predictor = "Published"}));
}

TEST(EnsemblePredictor, ForecastsTheSameInAnotherUnit) {
  for (const auto& training : test::convexTrainings()) {
    for (const double scale : {0x1p-900, 1e-3, 7.0, 0x1p900}) {
      Watched plain, scaled;
      for (int k = 0; k <= 60; ++k) {
        plain.see(k, training.loss(k));
        scaled.see(k, scale * training.loss(k));
        if (k < 2) continue;
        for (const double ahead : {1.0, 10.0, 300.0})
          ASSERT_NEAR(scaled.at(k + ahead) / scale, plain.at(k + ahead), 1e-5)
              << training.name << scale << " " << k;
      }
    }
  }
}

TEST(EnsemblePredictor, HardlyMindsWhereTheLossIsZero) {
  // Far above zero; so that it ends below; so that it crosses zero half-way.
  for (const double shift : {10.0, -1.0, -0.5}) {
    const double error =
        meanRangeError({}, [&](const LossAt& loss) { return [=](double k) { return loss(k) + shift; }; });
    EXPECT_LT(error, 1.15 * meanRangeError() + 6e-4) << shift;
  }
}

TEST(EnsemblePredictor, ForecastsSlowTrainingsWhileTheyHaveHardlyBegun) {
  for (const double rate : {0.005, 0.01, 0.02}) {
    const auto loss = [=](double k) { return 0.2 + 0.8 * std::exp(-rate * k); };
    Watched job;
    for (int k = 0; k < 20; ++k) {
      job.see(k, loss(k));
      if (k < 5) continue;
      EXPECT_NEAR(job.at(k + 10), loss(k + 10), 0.002) << rate << " " << k;
    }
  }
}

TEST(EnsemblePredictor, ForecastsSparseSamplesNearlyAsWell) {
  for (const Seeing seeing : {Seeing{5, 5}, Seeing{1, 20}})
    EXPECT_LT(meanRangeError(seeing), 1.3 * meanRangeError() + 1e-3) << seeing.from << ".." << seeing.to;
}

TEST(EnsemblePredictor, SmoothsNoise) {
  const double error = meanRangeError({.noise = 0.02});
  EXPECT_LT(error, 0.0065);
  EXPECT_LT(error, 0.8 * meanRangeError({.noise = 0.02, .predictor = "Published"}));
}

TEST(EnsemblePredictor, SmoothsNoiseThatIsAsLargeAsWhatTheLossStillFalls) {
  struct Case {
    double raised;
    double noise;
    double worst;
  };
  for (const auto& [raised, noise, worst] : {Case{3, 0.02, 0.025}, {3, 0.05, 0.055}, {1, 0.1, 0.045}}) {
    const auto change = [raised = raised](const LossAt& loss) {
      return [=](double k) { return raised + loss(k); };
    };
    EXPECT_LT(meanRangeError({.noise = noise}, change), worst) << raised << " " << noise;
  }
}

TEST(EnsemblePredictor, DoesNotLoseItsWayWhereALossIsNotConvex) {
  for (const auto& training : test::otherTrainings())
    EXPECT_LT(rangeError(training.loss), 0.07) << training.name;
}

TEST(EnsemblePredictor, TakesTheOwnersTargetForTheFloor) {
  const auto loss = [](double k) { return 3 + 2 * std::exp(-0.05 * k); };
  Watched told, untold;
  for (int k = 0; k <= 15; ++k) {
    told.see(k, loss(k), 3);
    untold.see(k, loss(k));
  }
  EXPECT_LT(std::abs(told.at(45) - loss(45)), std::abs(untold.at(45) - loss(45)));
  EXPECT_EQ(told.model()->forecastFinal(15), 3);
  told.see(16, 2.9, 3);
  EXPECT_FALSE(told.model()->target);
}

TEST(EnsemblePredictor, ExpectsNothingOfALossThatStandsStillOrRises) {
  Watched still, rising;
  for (int k = 0; k <= 60; ++k) {
    still.see(k, 4.2);
    rising.see(k, 4.2 + k);
  }
  EXPECT_EQ(still.model()->curve.reduction(60, 1000), 0);
  EXPECT_NEAR(rising.model()->curve.reduction(60, 1000), 0, 1e-6);
}

TEST(EnsemblePredictor, BeginsAnewWhenTheTrainerDoes) {
  const auto first = [](double k) { return 1 / (1 + 0.1 * k); };
  const auto second = [](double k) { return 5 + 5 * std::exp(-0.02 * k); };
  Watched job, fresh;
  for (int k = 0; k <= 50; ++k) job.see(k, first(k));
  for (int k = 0; k <= 30; ++k) {
    job.see(k, second(k));
    fresh.see(k, second(k));
  }
  EXPECT_DOUBLE_EQ(job.at(40), fresh.at(40));
}

TEST(EnsemblePredictor, GoesOnFromACheckpoint) {
  const auto loss = [](double k) { return 0.2 + 0.8 * std::exp(-0.05 * k); };
  Watched job;
  for (int k = 0; k <= 50; ++k) job.see(k, loss(k));
  for (int k = 40; k <= 60; ++k) job.see(k, loss(k));
  EXPECT_NEAR(job.at(70), loss(70), 1e-3);
}

TEST(EnsemblePredictor, KnowsHowFarItsOwnForecastsWereOff) {
  std::mt19937_64 random(9);
  std::normal_distribution<double> normal;
  Watched smooth, noisy;
  for (int k = 0; k <= 80; ++k) {
    const double loss = 0.2 + 0.8 * std::exp(-0.02 * k);
    smooth.see(k, loss);
    noisy.see(k, loss + 0.1 * normal(random));
  }
  EXPECT_LT(smooth.model()->backTestError.value(), 0.01);
  EXPECT_NEAR(noisy.model()->backTestError.value(), 0.1, 0.06);
}

// Whatever the losses and whenever they are seen, a forecast is finite and a reduction never negative.
TEST(EnsemblePredictor, NeverGivesNanOrANegativeReduction) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  for (int round = 0; round < 3000; ++round) {
    const double scale = std::pow(10.0, std::uniform_real_distribution<double>(-305, 305)(random));
    Watched job;
    double k = round % 7 == 0 ? 1e9 : 0;
    for (int i = 0; i < 40; ++i) {
      k += normal(random) < -2 ? -std::floor(k / 2)
                               : std::uniform_int_distribution<int>(1, 1 + round % 50)(random);
      const double noise = normal(random);
      const double losses[] = {noise,
                               1 / (1 + k) + 0.01 * noise,
                               std::exp(noise * 100),
                               std::exp(-k),
                               -k * k,
                               i % 9 == 0 ? std::numeric_limits<double>::quiet_NaN() : 1.0};
      job.see(k, scale * losses[round % 6]);
      if (!job.model() || job.series().empty()) continue;
      const double last = job.series().lastIteration().value();
      for (const double ahead : {0.01, 1.0, 10.0, 1e9}) {
        const double reduction = job.model()->curve.reduction(last, ahead);
        ASSERT_TRUE(std::isfinite(job.at(last + ahead)) && std::isfinite(reduction)) << round << " " << i;
        ASSERT_GE(reduction, 0) << round;
      }
    }
  }
}

// A loss that hardly falls for 20 iterations and falls within the next 5, of jobs of the kind "late".
double late(double k) { return k < 20 ? 1 - 0.001 * k : std::max(0.1, 0.98 - 0.18 * (k - 20)); }

EnsemblePredictor taughtByLateJobs() {
  EnsemblePredictor predictor(defaultConstants());
  const LossSeries series = seriesOf(late, 60);
  const ConvergenceModel model{Curve{.floor = 0.1}, {}};
  for (const char* uid : {"a", "b", "c", "d", "e"}) predictor.update({series, model, uid, "late", false});
  return predictor;
}

TEST(EnsemblePredictor, ExpectsOfANewcomerWhatItsKindDid) {
  const EnsemblePredictor predictor = taughtByLateJobs();
  ForecastMemory memory;
  const auto fall = [&](std::string_view kind) {
    return predictor.forecast("uid", {}, {.kind = kind}, memory)->curveToDecideBy().reduction(0, 10);
  };
  EXPECT_LT(fall("late"), 0.5 * fall(""));
  EXPECT_EQ(fall("another"), fall(""));
}

TEST(EnsemblePredictor, AJobsOwnCurveIsNoPastOne) {
  EnsemblePredictor predictor(defaultConstants());
  const LossSeries series = seriesOf(late, 60);
  for (int i = 0; i < 5; ++i) predictor.update({series, {Curve{.floor = 0.1}, {}}, "one", "late", false});
  ForecastMemory memory;
  const auto ofOne = predictor.forecast("one", series, {.kind = "late"}, memory);
  EXPECT_FALSE(ofOne->withKind);
  EXPECT_EQ(ofOne->finalToDecideBy(60), ofOne->forecastFinal(60));
  ForecastMemory other;
  EXPECT_TRUE(predictor.forecast("another", series, {.kind = "late"}, other)->withKind);
}

// Of its kind all losses fell late; this one falls from the first iteration on.
TEST(EnsemblePredictor, DoesNotDecideByAKindThatIsNoGuide) {
  const EnsemblePredictor predictor = taughtByLateJobs();
  const LossSeries series = seriesOf([](double k) { return 1 / (1 + k); }, 15);
  const auto fall = [&](std::string_view kind) {
    ForecastMemory memory;
    return predictor.forecast("uid", series, {.kind = kind}, memory)->curveToDecideBy().reduction(15, 10);
  };
  EXPECT_NEAR(fall("late"), fall(""), 0.01 * fall(""));
}

// No forecast from the losses so far alone can know that a straight line ends after 20 iterations.
TEST(EnsemblePredictor, DecidesByWhatTheKindDidNext) {
  const auto loss = [](double k) { return std::max(0.2, 1 - 0.04 * k); };
  const LossSeries series = seriesOf(loss, 60);
  EnsemblePredictor predictor(defaultConstants());
  for (const char* uid : {"a", "b", "c"})
    predictor.update({series, ConvergenceModel{Curve{.floor = 0.2}, {}}, uid, "ends", false});
  const LossSeries begun = seriesOf(loss, 16);
  const auto forecastOf = [&](std::string_view kind) {
    ForecastMemory memory;
    return *predictor.forecast("uid", begun, {.kind = kind}, memory);
  };
  EXPECT_GT(forecastOf("").curveToDecideBy().reduction(16, 10), 0.2);
  EXPECT_NEAR(forecastOf("ends").curveToDecideBy().reduction(16, 10), 0.16, 0.01);
  EXPECT_NEAR(forecastOf("ends").finalToDecideBy(16), 0.2, 0.01);
  EXPECT_EQ(forecastOf("ends").curve.reduction(16, 10),
            forecastOf("").curve.reduction(16, 10));  // what is shown
}

}  // namespace
}  // namespace slaq::forecast
