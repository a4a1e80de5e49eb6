#include "trainer/algorithms/topics/dirichlet.h"

#include <gtest/gtest.h>

#include <numbers>

namespace slaq::trainer {
namespace {

using Eigen::VectorXd;

TEST(Dirichlet, KnowsTheDigammaFunction) {
  EXPECT_NEAR(algorithms::topics::digamma(1), -std::numbers::egamma, 1e-12);
  EXPECT_NEAR(algorithms::topics::digamma(0.5), -std::numbers::egamma - 2 * std::numbers::ln2, 1e-12);
  for (const double x : {0.01, 0.7, 3.0, 250.0})
    EXPECT_NEAR(algorithms::topics::digamma(x + 1) - algorithms::topics::digamma(x), 1 / x, 1e-9 / x);
}

TEST(Dirichlet, ExpectsTheLogsOfAUniformShare) {
  // Of p ~ Beta(1, n), E[log p] is minus the n-th harmonic number.
  const VectorXd logs = algorithms::topics::expectedLog(VectorXd{{1, 3}});
  EXPECT_NEAR(logs[0], -(1 + 1.0 / 2 + 1.0 / 3), 1e-12);
  EXPECT_NEAR(logs[1], -1.0 / 3, 1e-12);
}

TEST(Dirichlet, LosesNothingWhereItIsThePriorAndMoreTheFurtherAway) {
  const VectorXd prior = VectorXd::Constant(4, 0.3);
  EXPECT_NEAR(algorithms::topics::priorBound(0.3, prior, algorithms::topics::expectedLog(prior)), 0, 1e-12);
  double before = 0;
  for (const double extra : {1.0, 5.0, 50.0}) {
    VectorXd parameters = prior;
    parameters[2] += extra;
    const double bound =
        algorithms::topics::priorBound(0.3, parameters, algorithms::topics::expectedLog(parameters));
    EXPECT_LT(bound, before);
    before = bound;
  }
}

}  // namespace
}  // namespace slaq::trainer
