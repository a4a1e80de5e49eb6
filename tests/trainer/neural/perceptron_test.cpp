#include "trainer/algorithms/neural/perceptron.h"

#include <gtest/gtest.h>

#include "trainer/algorithms/minibatch.h"
#include "trainer/algorithms/neural/network.h"
#include "trainer/calm.h"

namespace slaq::trainer {
namespace {

problem::Problem perceptron(const std::string& algorithm) {
  problem::Problem problem;
  problem.algorithm = algorithm;
  problem.rows = 601;
  problem.features = 100;
  problem.chunks = 4;
  problem.settings.set("hidden", std::vector<std::int64_t>{12, 8});
  return problem;
}

TEST(PerceptronByLbfgs, FallsInEachIteration) {
  for (const std::string activation : {"tanh", "relu"}) {
    problem::Problem problem = perceptron("perceptron");
    problem.settings.set("activation", activation);
    const auto curve = trainCalmly(completed(problem), {60, 0});
    ASSERT_EQ(curve.size(), 61u);
    for (std::size_t k = 1; k < curve.size(); ++k) EXPECT_LE(curve[k].loss, curve[k - 1].loss);
    EXPECT_LT(curve.back().loss, 0.2 * curve.front().loss) << activation;
  }
}

TEST(PerceptronByLbfgs, KeepsItsWeightsSmallWhenRegularized) {
  problem::Problem problem = perceptron("perceptron");
  problem.settings.set("l2", 10.0);
  const auto curve = trainCalmly(completed(problem), {200, 0});
  EXPECT_NEAR(curve.back().loss, std::log(10.0), 0.05) << "no better than the classes' frequencies";
}

// The same descent written down once more, from the mini-batches' own definition.
TEST(PerceptronBySgd, FollowsMomentumOnItsMiniBatches) {
  problem::Problem given = perceptron("perceptron-sgd");
  given.settings.set("batch-size", 120.0);
  given.settings.set("learning-rate", 0.05);
  given.settings.set("momentum", 0.8);
  given.settings.set("schedule", "inverse-sqrt");
  given.settings.set("schedule-period", 7.0);
  given.settings.set("l2", 0.01);
  const problem::Problem problem = completed(given);
  const auto curve = trainCalmly(problem, {25, 0});
  const algorithms::neural::NetworkShape shape{{100, 12, 8, 10}, algorithms::neural::Activation::Tanh};
  const auto source = registry::makeSource(problem);
  data::Vector parameters =
      algorithms::neural::makePerceptronSgd(problem, *source)->state().tail(shape.parameters());
  data::Vector step = data::Vector::Zero(parameters.size());
  for (const training::Progress& now : curve) {
    data::Vector gradient = data::Vector::Zero(parameters.size());
    double loss = 0;
    double rows = 0;
    for (std::int64_t c = 0; c < problem.chunks; ++c) {
      const data::Chunk chunk = source->chunk(c);
      const auto batch =
          algorithms::batchesOf(problem.seed, 120, 601).pick(chunk.features.rows(), now.iteration);
      for (const Eigen::Index row : batch) {
        loss += algorithms::neural::Network(shape, parameters)
                    .addGradient(chunk.features.row(row), chunk.targets.segment(row, 1), gradient);
        ++rows;
      }
    }
    gradient /= rows;
    loss = loss / rows + algorithms::neural::addPenalty(shape, 0.01, parameters, gradient);
    EXPECT_NEAR(now.loss, loss, 1e-4 * loss) << "at iteration " << now.iteration;
    step = 0.8 * step - 0.05 / std::sqrt(1 + static_cast<double>(now.iteration) / 7) * gradient;
    parameters += step;
  }
}

TEST(PerceptronBySgd, LearnsThoughItsLossIsNoisy) {
  problem::Problem problem = perceptron("perceptron-sgd");
  problem.settings.set("batch-size", 60.0);
  const auto noisy = trainCalmly(completed(problem), {200, 0});
  EXPECT_LT(noisy.back().loss, 0.5 * noisy.front().loss);
  problem.settings.set("smoothing", 0.9);
  const auto smooth = trainCalmly(completed(problem), {200, 0});
  const auto rises = [](const std::vector<training::Progress>& curve) {
    double sum = 0;
    for (std::size_t k = 1; k < curve.size(); ++k) sum += std::max(0.0, curve[k].loss - curve[k - 1].loss);
    return sum;
  };
  EXPECT_GT(rises(noisy), 3 * rises(smooth));
  double expected = noisy.front().loss;
  for (std::size_t k = 1; k < noisy.size(); ++k) {
    expected = 0.9 * expected + 0.1 * noisy[k].loss;
    EXPECT_NEAR(smooth[k].loss, expected, 1e-9);
  }
}

}  // namespace
}  // namespace slaq::trainer
