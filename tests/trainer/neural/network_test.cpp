#include "trainer/algorithms/neural/network.h"

#include <gtest/gtest.h>

#include <cmath>

#include "trainer/data/random.h"

namespace slaq::trainer {
namespace {

struct Examples {
  Matrix rows;
  Floats classes;
};

Examples examples(const NetworkShape& shape, Eigen::Index count) {
  Random random(3, Purpose::Data);
  Examples made{Matrix(count, shape.sizes.front()), Floats(count)};
  for (float& value : made.rows.reshaped()) value = random.bell();
  for (float& value : made.classes) value = static_cast<float>(random.below(shape.sizes.back()));
  return made;
}

double lossAt(const NetworkShape& shape, const Vector& parameters, const Examples& examples) {
  Vector gradient = Vector::Zero(parameters.size());
  return Network(shape, parameters).addGradient(examples.rows, examples.classes, gradient);
}

struct Slopes {
  double left = 0;
  double right = 0;
};

// By finite differences; the loss is a sum of floats, so that a smaller step would be lost in rounding.
Slopes slopesAt(const NetworkShape& shape, Vector parameters, Eigen::Index i, const Examples& data) {
  constexpr double kStep = 2e-3;
  const double here = lossAt(shape, parameters, data);
  parameters[i] += kStep;
  const double above = lossAt(shape, parameters, data);
  parameters[i] -= 2 * kStep;
  return {(here - lossAt(shape, parameters, data)) / kStep, (above - here) / kStep};
}

TEST(Network, HasTheGradientOfItsLoss) {
  for (const Activation activation : {Activation::Tanh, Activation::Relu}) {
    const NetworkShape shape{{5, 7, 4, 3}, activation};
    const Examples data = examples(shape, 40);
    Random random(1, Purpose::FirstState);
    const Vector parameters = firstParameters(shape, random);
    Vector gradient = Vector::Zero(parameters.size());
    Network(shape, parameters).addGradient(data.rows, data.classes, gradient);
    Eigen::Index smooth = 0;
    for (Eigen::Index i = 0; i < parameters.size(); ++i) {
      const Slopes slopes = slopesAt(shape, parameters, i, data);
      if (std::abs(slopes.left - slopes.right) > 0.1) continue;  // at a kink there is no gradient
      ++smooth;
      EXPECT_NEAR(gradient[i], (slopes.left + slopes.right) / 2, 0.03) << "parameter " << i;
    }
    EXPECT_GT(smooth, parameters.size() * 3 / 4);
  }
}

TEST(Network, BeginsAtAGuessWhenAllWeightsAreZero) {
  const NetworkShape shape{{6, 4, 10}, Activation::Relu};
  const Examples data = examples(shape, 50);
  EXPECT_NEAR(lossAt(shape, Vector::Zero(shape.parameters()), data), 50 * std::log(10.0), 1e-3);
}

TEST(Network, AddsUpOverTheRows) {
  const NetworkShape shape{{4, 3, 2}, Activation::Tanh};
  const Examples data = examples(shape, 30);
  Random random(2, Purpose::FirstState);
  const Network network(shape, firstParameters(shape, random));
  Vector all = Vector::Zero(shape.parameters());
  Vector parts = all;
  const double loss = network.addGradient(data.rows, data.classes, all);
  const double split = network.addGradient(data.rows.topRows(11), data.classes.head(11), parts) +
                       network.addGradient(data.rows.bottomRows(19), data.classes.tail(19), parts);
  EXPECT_NEAR(loss, split, 1e-5 * loss);
  EXPECT_LT((all - parts).cwiseAbs().maxCoeff(), 1e-4);
}

TEST(Network, IsNotOverwhelmedByLargeSignals) {
  const NetworkShape shape{{2, 2}, Activation::Tanh};
  Vector parameters = Vector::Zero(shape.parameters());
  parameters.head(4) << 1000, -1000, 0, 0;
  EXPECT_DOUBLE_EQ(lossAt(shape, parameters, {Matrix{{1.0f, 0.0f}}, Floats::Constant(1, 1)}), 2000);
}

TEST(Network, PenalizesWeightsButNotBiases) {
  const NetworkShape shape{{2, 3}, Activation::Tanh};
  Vector parameters = Vector::LinSpaced(9, 1, 9);
  Vector gradient = Vector::Zero(9);
  EXPECT_DOUBLE_EQ(addPenalty(shape, 0.5, parameters, gradient), 0.25 * (1 + 4 + 9 + 16 + 25 + 36));
  EXPECT_EQ(gradient, (Vector{{0.5, 1, 1.5, 2, 2.5, 3, 0, 0, 0}}));
}

}  // namespace
}  // namespace slaq::trainer
