#include "trainer/algorithms/lbfgs.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace slaq::trainer {
namespace {

struct Found {
  data::Vector point;
  double value = 0;
  int steps = 0;
  int evaluations = 0;
  algorithms::Lbfgs::Verdict last = algorithms::Lbfgs::Verdict::Rejected;
};

using Function = std::function<double(const data::Vector&, data::Vector& gradient)>;

Found minimize(const Function& function, data::Vector start, int evaluations) {
  algorithms::Lbfgs optimizer(std::move(start));
  Found found;
  while (found.evaluations < evaluations) {
    const data::Vector point = optimizer.point();
    data::Vector gradient(point.size());
    const double value = function(point, gradient);
    ++found.evaluations;
    found.last = optimizer.observe(value, gradient);
    if (found.last == algorithms::Lbfgs::Verdict::Accepted ||
        found.last == algorithms::Lbfgs::Verdict::Minimum) {
      EXPECT_TRUE(found.steps == 0 || value <= found.value) << "no accepted step goes up";
      found.point = point, found.value = value, ++found.steps;
    }
    if (found.last == algorithms::Lbfgs::Verdict::Minimum || found.last == algorithms::Lbfgs::Verdict::Stuck)
      break;
  }
  return found;
}

TEST(Lbfgs, FindsTheMinimumOfRosenbrocksValley) {
  const Function valley = [](const data::Vector& x, data::Vector& gradient) {
    const double across = x[1] - x[0] * x[0];
    gradient << -2 * (1 - x[0]) - 400 * across * x[0], 200 * across;
    return (1 - x[0]) * (1 - x[0]) + 100 * across * across;
  };
  const Found found = minimize(valley, data::Vector{{-1.2, 1.0}}, 200);
  EXPECT_NEAR(found.point[0], 1, 1e-5);
  EXPECT_NEAR(found.point[1], 1, 1e-5);
}

TEST(Lbfgs, FindsTheMinimumOfAnIllConditionedBowl) {
  const Function bowl = [](const data::Vector& x, data::Vector& gradient) {
    const data::Vector exponents = data::Vector::LinSpaced(x.size(), 0, 4);
    const data::Vector scales = exponents.unaryExpr([](double e) { return std::pow(10, e); });
    gradient = scales.cwiseProduct(x);
    return 0.5 * x.dot(gradient);
  };
  EXPECT_LT(minimize(bowl, data::Vector::Ones(20), 400).value, 1e-6) << "ten digits less than at the start";
}

TEST(Lbfgs, StopsAtOnceWhereTheGradientIsZero) {
  const Function flat = [](const data::Vector&, data::Vector& gradient) { return gradient.setZero(), 3.0; };
  const Found found = minimize(flat, data::Vector::Ones(2), 10);
  EXPECT_EQ(found.last, algorithms::Lbfgs::Verdict::Minimum);
  EXPECT_EQ(found.evaluations, 1);
}

TEST(Lbfgs, SaysSoWhenNoStepGoesDown) {
  // A gradient that points the wrong way, as rounding makes it near a minimum.
  const Function liar = [](const data::Vector& x, data::Vector& gradient) {
    return gradient = -x, x.squaredNorm();
  };
  EXPECT_EQ(minimize(liar, data::Vector::Ones(3), 100).last, algorithms::Lbfgs::Verdict::Stuck);
}

TEST(Lbfgs, BacksOffFromWhereTheFunctionIsNotANumber) {
  const Function log = [](const data::Vector& x, data::Vector& gradient) {
    gradient << 1 - 3 / x[0];
    return x[0] - 3 * std::log(x[0]);
  };
  EXPECT_NEAR(minimize(log, data::Vector{{0.01}}, 100).point[0], 3, 1e-6);
}

}  // namespace
}  // namespace slaq::trainer
