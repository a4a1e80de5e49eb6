// Each algorithm against the same mathematics written down once more, on all rows at once, in doubles.
#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>
#include <limits>

#include "trainer/calm.h"

namespace slaq::trainer {
namespace {

using Rows = Eigen::MatrixXd;

struct Data {
  Rows features;
  data::Vector targets;
};

Data allRows(const problem::Problem& problem) {
  Data data{Rows(problem.rows, problem.features), data::Vector(problem.rows)};
  for (const data::Chunk& chunk : allChunks(problem)) {
    const problem::RowRange range = problem::rowsOf(problem, chunk.index);
    data.features.middleRows(range.first, range.count) = chunk.features.cast<double>();
    data.targets.segment(range.first, range.count) = chunk.targets.cast<double>();
  }
  return data;
}

problem::Problem logistic() {
  problem::Problem problem;
  problem.algorithm = "logistic-regression";
  problem.rows = 3001;  // no multiple of anything
  problem.features = 13;
  problem.chunks = 7;
  problem.settings.set("learning-rate", 2);
  problem.settings.set("l2", 0.001);
  return completed(problem);
}

problem::Problem clustering() {
  problem::Problem problem;
  problem.algorithm = "k-means";
  problem.rows = 2003;
  problem.features = 5;
  problem.settings.set("clusters", 9);
  problem.chunks = 8;
  return completed(problem);
}

problem::Problem linear() {
  problem::Problem problem;
  problem.algorithm = "linear-regression";
  problem.rows = 4001;
  problem.features = 17;
  problem.chunks = 9;
  problem.settings.set("condition", 1000);
  return completed(problem);
}

void expectFalling(const std::vector<training::Progress>& curve) {
  for (std::size_t k = 1; k < curve.size(); ++k) {
    EXPECT_EQ(curve[k].iteration, static_cast<std::int64_t>(k));
    EXPECT_LE(curve[k].loss, curve[k - 1].loss * (1 + 1e-6)) << "at iteration " << k;
  }
}

TEST(LogisticRegression, FollowsGradientDescentOnAllRows) {
  const problem::Problem problem = logistic();
  const Data data = allRows(problem);
  const double l2 = problem.settings.number("l2");
  const auto curve = trainCalmly(problem, {60, 0});
  ASSERT_EQ(curve.size(), 61u);
  data::Vector weights = data::Vector::Zero(problem.features);
  for (const training::Progress& now : curve) {
    double loss = 0.5 * l2 * weights.squaredNorm();
    data::Vector gradient = l2 * weights;
    for (Eigen::Index i = 0; i < data.targets.size(); ++i) {
      const double margin = data.targets[i] * data.features.row(i).dot(weights);
      loss += std::log1p(std::exp(-margin)) / static_cast<double>(problem.rows);
      const double slope = -data.targets[i] / (1 + std::exp(margin)) / static_cast<double>(problem.rows);
      gradient += slope * data.features.row(i).transpose();
    }
    EXPECT_NEAR(now.loss, loss, 1e-6 * loss) << "at iteration " << now.iteration;
    weights -= problem.settings.number("learning-rate") * gradient;
  }
}

TEST(LogisticRegression, BeginsAtTheLossOfAGuessAndFalls) {
  const auto curve = trainCalmly(logistic(), {200, 0});
  EXPECT_NEAR(curve.front().loss, std::log(2.0), 1e-6);
  expectFalling(curve);
  EXPECT_LT(curve.back().loss, 0.7 * curve.front().loss);
}

// Moves the centres to the means of the rows nearest to them; the loss is that of the centres as they were.
double lloydStep(const Rows& rows, Rows& centres) {
  Rows sums = Rows::Zero(centres.rows(), centres.cols());
  data::Vector counts = data::Vector::Zero(centres.rows());
  double loss = 0;
  for (Eigen::Index i = 0; i < rows.rows(); ++i) {
    Eigen::Index nearest = 0;
    loss += (centres.rowwise() - rows.row(i)).rowwise().squaredNorm().minCoeff(&nearest);
    sums.row(nearest) += rows.row(i);
    counts[nearest] += 1;
  }
  for (Eigen::Index c = 0; c < centres.rows(); ++c) {
    if (counts[c] > 0) centres.row(c) = sums.row(c) / counts[c];
  }
  return loss / static_cast<double>(rows.rows());
}

TEST(KMeans, FollowsLloydOnAllRows) {
  const problem::Problem problem = clustering();
  const Data data = allRows(problem);
  const data::Vector start = makeTraining(problem, {1, 0}).state();
  Rows centres = start.reshaped<Eigen::RowMajor>(problem.settings.whole("clusters"), problem.features);
  const auto curve = trainCalmly(problem, {15, 0});
  ASSERT_EQ(curve.size(), 16u);
  for (const training::Progress& now : curve) {
    const double loss = lloydStep(data.features, centres);
    EXPECT_NEAR(now.loss, loss, 1e-4 * loss) << "at iteration " << now.iteration;
  }
}

TEST(KMeans, FallsUntilNoCentreMoves) {
  const auto curve = trainCalmly(clustering(), {1000, 0});
  expectFalling(curve);
  EXPECT_LT(curve.size(), 500u) << "Lloyd's algorithm comes to rest after finitely many steps";
  EXPECT_LT(curve.back().loss, 0.9 * curve.front().loss);
}

TEST(KMeans, KeepsACentreThatNoRowIsNearTo) {
  problem::Problem problem = clustering();
  problem.rows = 10;
  problem.chunks = 2;
  problem.settings.set("clusters", 10);
  const auto curve = trainCalmly(completed(problem), {100, 0});
  expectFalling(curve);
  EXPECT_TRUE(std::isfinite(curve.back().loss));
}

// Half the mean squared residual of the best weights there are, by the normal equations.
double leastLoss(const problem::Problem& problem) {
  const double l2 = problem.settings.number("l2");
  const Data data = allRows(problem);
  const auto rows = static_cast<double>(problem.rows);
  Rows normal = data.features.transpose() * data.features / rows;
  normal.diagonal().array() += l2;
  const data::Vector best = normal.ldlt().solve(data.features.transpose() * data.targets / rows);
  return 0.5 * (data.features * best - data.targets).squaredNorm() / rows + 0.5 * l2 * best.squaredNorm();
}

TEST(LinearRegression, EndsAtTheNormalEquationsSolution) {
  for (const double l2 : {0.0, 0.01}) {
    problem::Problem problem = linear();
    problem.settings.set("l2", l2);
    const auto curve = trainCalmly(problem, {1000, 1e-9});
    const double least = leastLoss(problem);
    EXPECT_NEAR(curve.back().loss, least, 1e-6 * least) << "with l2 = " << l2;
    EXPECT_GT(curve.front().loss, 2 * least);
  }
}

TEST(LinearRegression, FallsAndTakesLongerOnAWorseDesign) {
  problem::Problem problem = linear();
  problem.settings.set("condition", 10);
  const auto well = trainCalmly(problem, {1000, 1e-6});
  problem.settings.set("condition", 10000);
  const auto ill = trainCalmly(problem, {1000, 1e-6});
  expectFalling(well);
  expectFalling(ill);
  EXPECT_GT(ill.size(), 2 * well.size());
}

TEST(Data, ClassesOverlapMoreWithMoreNoise) {
  problem::Problem problem = logistic();
  problem.settings.set("noise", 0);
  const double clean = trainCalmly(problem, {300, 0}).back().loss;
  problem.settings.set("noise", 3);
  const double noisy = trainCalmly(problem, {300, 0}).back().loss;
  EXPECT_LT(clean, 0.6 * noisy);
}

}  // namespace
}  // namespace slaq::trainer
