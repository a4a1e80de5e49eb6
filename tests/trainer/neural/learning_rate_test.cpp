#include "trainer/algorithms/neural/learning_rate.h"

#include <gtest/gtest.h>

#include <cmath>

namespace slaq::trainer {
namespace {

TEST(LearningRate, FollowsItsSchedule) {
  struct Case {
    Decay decay;
    std::int64_t iteration;
    double rate;
  };
  for (const Case& c :
       {Case{Decay::Constant, 0, 0.2}, Case{Decay::Constant, 1000, 0.2}, Case{Decay::Step, 0, 0.2},
        Case{Decay::Step, 49, 0.2}, Case{Decay::Step, 50, 0.06}, Case{Decay::Step, 149, 0.018},
        Case{Decay::Cosine, 0, 0.2}, Case{Decay::Cosine, 25, 0.101}, Case{Decay::Cosine, 50, 0.002},
        Case{Decay::Cosine, 5000, 0.002}, Case{Decay::InverseSqrt, 0, 0.2},
        Case{Decay::InverseSqrt, 50, 0.2 / std::sqrt(2.0)}, Case{Decay::InverseSqrt, 150, 0.1}}) {
    const LearningRate rate{.decay = c.decay, .first = 0.2, .period = 50};
    EXPECT_NEAR(rate.at(c.iteration), c.rate, 1e-12) << "at iteration " << c.iteration;
  }
}

TEST(LearningRate, NeverRisesAndNeverVanishes) {
  for (const Decay decay : {Decay::Constant, Decay::Step, Decay::Cosine, Decay::InverseSqrt}) {
    const LearningRate rate{.decay = decay, .first = 1, .period = 30};
    for (std::int64_t k = 1; k < 200; ++k) {
      EXPECT_LE(rate.at(k), rate.at(k - 1));
      EXPECT_GT(rate.at(k), 0);
    }
  }
}

}  // namespace
}  // namespace slaq::trainer
