#include "trainer/data/linear_data.h"

#include <array>
#include <cmath>

#include "trainer/data/random.h"

namespace slaq::trainer {
namespace {

constexpr std::array kSettings{
    Setting{.name = "condition",
            .help = "condition number of the features' covariance; more takes more iterations",
            .usual = "100",
            .least = 1},
    Setting{.name = "noise", .help = "how much the data contradict the model; 1 is usual", .usual = "1"},
};

Eigen::VectorXd featureScales(const Problem& problem) {
  Eigen::VectorXd scales(problem.features);
  const double condition = problem.settings.number("condition");
  const double steps = static_cast<double>(std::max<std::int64_t>(problem.features - 1, 1));
  for (Eigen::Index j = 0; j < scales.size(); ++j) {
    scales[j] = std::pow(condition, -0.5 * static_cast<double>(j) / steps);
  }
  return scales;
}

class LinearData : public Source {
 public:
  LinearData(const Problem& problem, double length)
      : problem_(problem),
        noise_(static_cast<float>(problem.settings.number("noise"))),
        scales_(featureScales(problem).cast<float>()),
        truth_((length * Random(problem.seed, Purpose::Truth).bells(problem.features).normalized())
                   .cast<float>()) {}

  Chunk chunk(std::int64_t index) const override {
    Random random(problem_.seed, Purpose::Data, index);
    const RowRange range = rowsOf(problem_, index);
    Chunk chunk{index, Matrix(range.count, problem_.features), Floats(range.count), {}};
    for (Eigen::Index i = 0; i < range.count; ++i) {
      auto row = chunk.features.row(i);
      for (float& value : row) value = random.bell();
      chunk.targets[i] = target(row.dot(truth_), noise_ * random.bell());
      row.array() *= scales_.transpose().array();
    }
    return chunk;
  }

 private:
  virtual float target(float truth, float noise) const = 0;

  Problem problem_;
  float noise_;
  Floats scales_;
  Floats truth_;  // for the features before they are scaled
};

class RegressionData final : public LinearData {
 public:
  explicit RegressionData(const Problem& problem) : LinearData(problem, 1) {}

 private:
  // A noise of 1 leaves the best fit a tenth of the target's standard deviation.
  float target(float truth, float noise) const override { return truth + 0.1f * noise; }
};

class TwoClassData final : public LinearData {
 public:
  // True weights of length 2: a noise of 1 leaves about one label in seven on the wrong side.
  explicit TwoClassData(const Problem& problem) : LinearData(problem, 2) {}

 private:
  float target(float truth, float noise) const override { return truth + noise < 0 ? 0.0f : 1.0f; }
};

}  // namespace

std::span<const Setting> linearDataSettings() { return kSettings; }

std::unique_ptr<Source> makeRegressionData(const Problem& problem) {
  return std::make_unique<RegressionData>(problem);
}

std::unique_ptr<Source> makeTwoClassData(const Problem& problem) {
  return std::make_unique<TwoClassData>(problem);
}

}  // namespace slaq::trainer
