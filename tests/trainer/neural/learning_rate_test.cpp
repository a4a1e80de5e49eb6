#include "trainer/algorithms/neural/learning_rate.h"

#include <gtest/gtest.h>

#include <cmath>

namespace slaq::trainer {
namespace {

TEST(LearningRate, FollowsItsSchedule) {
  struct Case {
    algorithms::neural::Decay decay;
    std::int64_t iteration;
    double rate;
  };
  for (const Case& c :
       {Case{algorithms::neural::Decay::Constant, 0, 0.2},
        Case{algorithms::neural::Decay::Constant, 1000, 0.2}, Case{algorithms::neural::Decay::Step, 0, 0.2},
        Case{algorithms::neural::Decay::Step, 49, 0.2}, Case{algorithms::neural::Decay::Step, 50, 0.06},
        Case{algorithms::neural::Decay::Step, 149, 0.018}, Case{algorithms::neural::Decay::Cosine, 0, 0.2},
        Case{algorithms::neural::Decay::Cosine, 25, 0.101},
        Case{algorithms::neural::Decay::Cosine, 50, 0.002},
        Case{algorithms::neural::Decay::Cosine, 5000, 0.002},
        Case{algorithms::neural::Decay::InverseSqrt, 0, 0.2},
        Case{algorithms::neural::Decay::InverseSqrt, 50, 0.2 / std::sqrt(2.0)},
        Case{algorithms::neural::Decay::InverseSqrt, 150, 0.1}}) {
    const algorithms::neural::LearningRate rate{.decay = c.decay, .first = 0.2, .period = 50};
    EXPECT_NEAR(rate.at(c.iteration), c.rate, 1e-12) << "at iteration " << c.iteration;
  }
}

TEST(LearningRate, NeverRisesAndNeverVanishes) {
  for (const algorithms::neural::Decay decay :
       {algorithms::neural::Decay::Constant, algorithms::neural::Decay::Step,
        algorithms::neural::Decay::Cosine, algorithms::neural::Decay::InverseSqrt}) {
    const algorithms::neural::LearningRate rate{.decay = decay, .first = 1, .period = 30};
    for (std::int64_t k = 1; k < 200; ++k) {
      EXPECT_LE(rate.at(k), rate.at(k - 1));
      EXPECT_GT(rate.at(k), 0);
    }
  }
}

}  // namespace
}  // namespace slaq::trainer
