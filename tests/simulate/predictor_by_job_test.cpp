#include "simulate/run/predictor_by_job.h"

#include <gtest/gtest.h>

namespace slaq::simulate {
namespace {

Workload threeJobs(const std::shared_ptr<const forecast::FittedConstants>& own) {
  Workload workload;
  for (const char* name : {"a", "b", "c"}) workload.jobs.push_back({.name = name});
  workload.jobs[0].constants = own;
  workload.jobs[1].constants = own;
  return workload;
}

// What is expected of a job that has shown nothing yet.
double firstFallOf(const forecast::Predictor& predictor, std::string_view uid) {
  forecast::ForecastMemory memory;
  return predictor.forecast(uid, {}, {}, memory)->curve.reduction(0, 10);
}

TEST(PredictorByJob, ForecastsEachJobWithItsOwnConstants) {
  auto own = std::make_shared<forecast::FittedConstants>(forecast::defaultConstants());
  own->firstCurve.fill(0.9);
  const PredictorByJob predictor("Ensemble", forecast::defaultConstants(), threeJobs(own));
  const auto usual = makePredictor("Ensemble", forecast::defaultConstants());
  const auto other = makePredictor("Ensemble", *own);
  EXPECT_EQ(firstFallOf(predictor, "a"), firstFallOf(*other, "a"));
  EXPECT_EQ(firstFallOf(predictor, "b"), firstFallOf(*other, "b"));
  EXPECT_EQ(firstFallOf(predictor, "c"), firstFallOf(*usual, "c"));
  EXPECT_GT(firstFallOf(predictor, "c"), firstFallOf(predictor, "a"));
}

TEST(PredictorByJob, LearnsFromAllJobsForEach) {
  const auto own = std::make_shared<const forecast::FittedConstants>(forecast::defaultConstants());
  PredictorByJob predictor("Ensemble", forecast::defaultConstants(), threeJobs(own));
  const double before = firstFallOf(predictor, "a");
  forecast::LossSeries series;
  for (int k = 0; k <= 200; ++k) series.add(Iterations(k), Loss(1 / (1 + 0.02 * k)));
  const forecast::ConvergenceModel model{forecast::Curve{.floor = 0}, {}, {}, {}};
  for (int i = 0; i < 20; ++i) predictor.update({series, model});
  EXPECT_LT(firstFallOf(predictor, "a"), before);
  EXPECT_EQ(firstFallOf(predictor, "a"), firstFallOf(predictor, "c"));
}

}  // namespace
}  // namespace slaq::simulate
