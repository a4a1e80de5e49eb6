#include "trainer/algorithms/trees/boosted_trees.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "trainer/algorithms/trees/boosting_kernel.h"

namespace slaq::trainer::algorithms::trees {
namespace {

constexpr std::array kSettings{
    problem::Setting{.name = "trees",
                     .help = "trees, one for each iteration",
                     .kind = problem::Setting::Kind::Whole,
                     .usual = "300",
                     .least = 1,
                     .most = 1e6},
    problem::Setting{.name = "depth",
                     .help = "splits from a tree's root to a leaf",
                     .kind = problem::Setting::Kind::Whole,
                     .usual = "4",
                     .least = 1,
                     .most = kDeepest},
    problem::Setting{.name = "bins",
                     .help = "parts that a feature's values are told apart by",
                     .kind = problem::Setting::Kind::Whole,
                     .usual = "64",
                     .least = 2,
                     .most = kMostBins},
    problem::Setting{.name = "min-leaf",
                     .help = "rows in a leaf at least",
                     .kind = problem::Setting::Kind::Whole,
                     .usual = "20",
                     .least = 1},
    problem::Setting{.name = "learning-rate",
                     .help = "share of its best values that a tree's leaves get",
                     .usual = "0.1",
                     .most = 1,
                     .above = true},
    problem::Setting{.name = "l2", .help = "L2 regularization of the leaves' values", .usual = "1"},
};

BoostingSettings settingsOf(const problem::Problem& problem, BoostingLoss loss) {
  const problem::Settings& given = problem.settings;
  return {.loss = loss,
          .rows = problem.rows,
          .features = problem.features,
          .trees = given.whole("trees"),
          .depth = static_cast<int>(given.whole("depth")),
          .rules = {.bins = given.whole("bins"),
                    .minLeaf = given.number("min-leaf"),
                    .l2 = given.number("l2"),
                    .learningRate = given.number("learning-rate")}};
}

}  // namespace

std::span<const problem::Setting> boostedTreesSettings() { return kSettings; }

double boostedTreesNumbers(const problem::Problem& problem) {
  const auto features = static_cast<double>(problem.features);
  const double depth = problem.settings.number("depth");
  const double bins = problem.settings.number("bins");
  // Half of the nodes of a tree's last level are summed, and at least one.
  const double widest = std::exp2(std::max(depth - 2, 0.0)) * features * bins * kSumsNumbers;
  const double model = features * bins + problem.settings.number("trees") * 3 * std::exp2(depth);
  return std::max({widest, model, features * static_cast<double>(kCells)}) + 1;
}

std::unique_ptr<Algorithm> makeBoostedRegression(const problem::Problem& problem, const data::Source&) {
  return std::make_unique<Boosting>(settingsOf(problem, BoostingLoss::SquaredError));
}

std::unique_ptr<Kernel> makeBoostedRegressionKernel(const problem::Problem& problem) {
  return std::make_unique<BoostingKernel>(settingsOf(problem, BoostingLoss::SquaredError));
}

std::unique_ptr<Algorithm> makeBoostedClassification(const problem::Problem& problem, const data::Source&) {
  return std::make_unique<Boosting>(settingsOf(problem, BoostingLoss::LogLoss));
}

std::unique_ptr<Kernel> makeBoostedClassificationKernel(const problem::Problem& problem) {
  return std::make_unique<BoostingKernel>(settingsOf(problem, BoostingLoss::LogLoss));
}

}  // namespace slaq::trainer::algorithms::trees
