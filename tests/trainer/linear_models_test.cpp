// The linear models' parts: losses and their slopes, the polynomial map, and what their trainings come to.
#include <gtest/gtest.h>

#include <cmath>

#include "trainer/algorithms/linear/losses.h"
#include "trainer/algorithms/linear/polynomial_map.h"
#include "trainer/calm.h"

namespace slaq::trainer {
namespace {

template <class Loss>
void expectSlopesOfItself(Loss loss, const data::Floats& targets) {
  const data::Floats predictions = data::Floats::LinSpaced(targets.size(), -3.05f, 3);
  data::Floats slopes;
  data::Floats ignored;
  loss(predictions, targets, slopes);
  constexpr float kStep = 1.0f / 64;
  for (Eigen::Index i = 0; i < targets.size(); ++i) {
    const data::Floats step = kStep * data::Floats::Unit(targets.size(), i);
    const double up = loss(data::Floats(predictions + step), targets, ignored);
    const double down = loss(data::Floats(predictions - step), targets, ignored);
    EXPECT_NEAR(slopes[i], (up - down) / (2 * kStep), 2e-3) << "at " << predictions[i];
  }
}

TEST(Losses, HaveTheSlopesOfFiniteDifferences) {
  data::Floats signs = data::Floats::Ones(24);
  for (Eigen::Index i = 0; i < signs.size(); i += 2) signs[i] = -1;
  expectSlopesOfItself(algorithms::linear::SquaredLoss{}, data::Floats::LinSpaced(24, -1, 2));
  expectSlopesOfItself(algorithms::linear::LogisticLoss{}, signs);
  expectSlopesOfItself(algorithms::linear::HingeLoss{}, signs);
  expectSlopesOfItself(algorithms::linear::HingeLoss{true}, signs);
}

TEST(Losses, DoNotOverflow) {
  data::Floats slopes;
  const data::Floats far{{-1e30f, 1e30f}};
  EXPECT_NEAR(algorithms::linear::LogisticLoss{}(far, data::Floats{{1.0f, 1.0f}}, slopes), 1e30, 1e24);
  EXPECT_EQ(slopes, (data::Floats{{-1.0f, 0.0f}}));
}

TEST(PolynomialMap, HasTheKernelAsItsDotProduct) {
  const data::Matrix rows = data::Matrix::Random(6, 4);
  for (const int degree : {1, 2, 3, 5}) {
    const algorithms::linear::PolynomialMap map(4, degree, 0.7, 1.5);
    const Eigen::MatrixXf mapped = map(rows, 0, 6);
    EXPECT_EQ(mapped.cols(), map.size());
    EXPECT_EQ(static_cast<double>(map.size()), algorithms::linear::PolynomialMap::sizeFor(4, degree));
    for (Eigen::Index i = 0; i < 6; ++i) {
      for (Eigen::Index j = 0; j < 6; ++j) {
        const double kernel = std::pow(0.7 * rows.row(i).dot(rows.row(j)) + 1.5, degree);
        EXPECT_NEAR(mapped.row(i).dot(mapped.row(j)), kernel, 1e-4 * (1 + kernel)) << "degree " << degree;
      }
    }
  }
}

TEST(PolynomialMap, WithoutAnOffsetHasOnlyTheHighestDegree) {
  const data::Matrix rows = data::Matrix::Random(3, 2);
  const Eigen::MatrixXf mapped = algorithms::linear::PolynomialMap(2, 2, 1, 0)(rows, 1, 2);
  EXPECT_NEAR(mapped.row(0).dot(mapped.row(1)), std::pow(rows.row(1).dot(rows.row(2)), 2), 1e-6);
}

double finalLoss(problem::Problem problem, std::int64_t iterations) {
  return trainCalmly(completed(std::move(problem)), {iterations, 0}).back().loss;
}

TEST(LinearSvm, TellsTwoClassesApart) { EXPECT_LT(finalLoss(problemOf("linear-svm"), 200), 0.55); }

TEST(PolynomialSvm, TellsClassesApartThatNoPlaneDivides) {
  problem::Problem problem = problemOf("polynomial-svm");
  problem.settings.set("condition", 1);
  problem.settings.set("noise", 0.1);
  const double curved = finalLoss(problem, 200);
  problem.settings.set("degree", 1);
  const double flat = finalLoss(problem, 200);
  EXPECT_GT(flat, 0.9);
  EXPECT_LT(curved, 0.3);
}

}  // namespace
}  // namespace slaq::trainer
