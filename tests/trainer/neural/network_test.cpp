#include "trainer/algorithms/neural/network.h"

#include <gtest/gtest.h>

#include <cmath>

#include "trainer/data/random.h"

namespace slaq::trainer {
namespace {

struct Examples {
  data::Matrix rows;
  data::Floats classes;
};

Examples examples(const algorithms::neural::NetworkShape& shape, Eigen::Index count) {
  data::Random random(3, data::Purpose::Data);
  Examples made{data::Matrix(count, shape.sizes.front()), data::Floats(count)};
  for (float& value : made.rows.reshaped()) value = random.bell();
  for (float& value : made.classes) value = static_cast<float>(random.below(shape.sizes.back()));
  return made;
}

double lossAt(const algorithms::neural::NetworkShape& shape, const data::Vector& parameters,
              const Examples& examples) {
  data::Vector gradient = data::Vector::Zero(parameters.size());
  return algorithms::neural::Network(shape, parameters)
      .addGradient(examples.rows, examples.classes, gradient);
}

struct Slopes {
  double left = 0;
  double right = 0;
};

// By finite differences; the loss is a sum of floats, so that a smaller step would be lost in rounding.
Slopes slopesAt(const algorithms::neural::NetworkShape& shape, data::Vector parameters, Eigen::Index i,
                const Examples& data) {
  constexpr double kStep = 2e-3;
  const double here = lossAt(shape, parameters, data);
  parameters[i] += kStep;
  const double above = lossAt(shape, parameters, data);
  parameters[i] -= 2 * kStep;
  return {(here - lossAt(shape, parameters, data)) / kStep, (above - here) / kStep};
}

TEST(Network, HasTheGradientOfItsLoss) {
  for (const algorithms::neural::Activation activation :
       {algorithms::neural::Activation::Tanh, algorithms::neural::Activation::Relu}) {
    const algorithms::neural::NetworkShape shape{{5, 7, 4, 3}, activation};
    const Examples data = examples(shape, 40);
    data::Random random(1, data::Purpose::FirstState);
    const data::Vector parameters = algorithms::neural::firstParameters(shape, random);
    data::Vector gradient = data::Vector::Zero(parameters.size());
    algorithms::neural::Network(shape, parameters).addGradient(data.rows, data.classes, gradient);
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
  const algorithms::neural::NetworkShape shape{{6, 4, 10}, algorithms::neural::Activation::Relu};
  const Examples data = examples(shape, 50);
  EXPECT_NEAR(lossAt(shape, data::Vector::Zero(shape.parameters()), data), 50 * std::log(10.0), 1e-3);
}

TEST(Network, AddsUpOverTheRows) {
  const algorithms::neural::NetworkShape shape{{4, 3, 2}, algorithms::neural::Activation::Tanh};
  const Examples data = examples(shape, 30);
  data::Random random(2, data::Purpose::FirstState);
  const algorithms::neural::Network network(shape, algorithms::neural::firstParameters(shape, random));
  data::Vector all = data::Vector::Zero(shape.parameters());
  data::Vector parts = all;
  const double loss = network.addGradient(data.rows, data.classes, all);
  const double split = network.addGradient(data.rows.topRows(11), data.classes.head(11), parts) +
                       network.addGradient(data.rows.bottomRows(19), data.classes.tail(19), parts);
  EXPECT_NEAR(loss, split, 1e-5 * loss);
  EXPECT_LT((all - parts).cwiseAbs().maxCoeff(), 1e-4);
}

TEST(Network, IsNotOverwhelmedByLargeSignals) {
  const algorithms::neural::NetworkShape shape{{2, 2}, algorithms::neural::Activation::Tanh};
  data::Vector parameters = data::Vector::Zero(shape.parameters());
  parameters.head(4) << 1000, -1000, 0, 0;
  EXPECT_DOUBLE_EQ(lossAt(shape, parameters, {data::Matrix{{1.0f, 0.0f}}, data::Floats::Constant(1, 1)}),
                   2000);
}

TEST(Network, PenalizesWeightsButNotBiases) {
  const algorithms::neural::NetworkShape shape{{2, 3}, algorithms::neural::Activation::Tanh};
  data::Vector parameters = data::Vector::LinSpaced(9, 1, 9);
  data::Vector gradient = data::Vector::Zero(9);
  EXPECT_DOUBLE_EQ(algorithms::neural::addPenalty(shape, 0.5, parameters, gradient),
                   0.25 * (1 + 4 + 9 + 16 + 25 + 36));
  EXPECT_EQ(gradient, (data::Vector{{0.5, 1, 1.5, 2, 2.5, 3, 0, 0, 0}}));
}

}  // namespace
}  // namespace slaq::trainer
