#include "trainer/data/generators/linear_data.h"

#include <array>
#include <cmath>

#include "trainer/data/random.h"

namespace slaq::trainer::data::generators {
namespace {

constexpr std::array kLinearDataSettings{
    problem::Setting{.name = "condition",
                     .help = "condition number of the features' covariance; more takes more iterations",
                     .usual = "100",
                     .least = 1},
    problem::Setting{
        .name = "noise", .help = "how much the data contradict the model; 1 is usual", .usual = "1"},
};

Eigen::VectorXd featureScales(const problem::Problem& problem) {
  Eigen::VectorXd scales(problem.features);
  const double condition = problem.settings.number("condition");
  const double steps = static_cast<double>(std::max<std::int64_t>(problem.features - 1, 1));
  for (Eigen::Index j = 0; j < scales.size(); ++j) {
    scales[j] = std::pow(condition, -0.5 * static_cast<double>(j) / steps);
  }
  return scales;
}

// A direction of the features before they are scaled.
Floats direction(const problem::Problem& problem, double length, std::int64_t which = 0) {
  Random random(problem.seed, Purpose::Truth, which);
  return (length * random.bells(problem.features).normalized()).cast<float>();
}

// The target of a row that is not scaled yet, given noise.
struct Regression {
  Floats truth;

  explicit Regression(const problem::Problem& problem) : truth(direction(problem, 1)) {}
  // A noise of 1 leaves the best fit a tenth of the target's standard deviation.
  template <class Row>
  float target(const Row& row, float noise) const {
    return row.dot(truth) + 0.1f * noise;
  }
};

struct TwoClasses {
  Floats truth;

  // Of length 2: a noise of 1 leaves about one label in seven on the wrong side.
  explicit TwoClasses(const problem::Problem& problem) : truth(direction(problem, 2)) {}
  template <class Row>
  float target(const Row& row, float noise) const {
    return row.dot(truth) + noise < 0 ? 0.0f : 1.0f;
  }
};

struct CurvedClasses {
  Floats first;
  Floats second;

  explicit CurvedClasses(const problem::Problem& problem)
      : first(direction(problem, 2)), second(direction(problem, 2, 1)) {}
  template <class Row>
  float target(const Row& row, float noise) const {
    return row.dot(first) * row.dot(second) + noise < 0 ? 0.0f : 1.0f;
  }
};

template <class Truth>
class LinearData final : public Source {
 public:
  explicit LinearData(const problem::Problem& problem)
      : problem_(problem),
        noise_(static_cast<float>(problem.settings.number("noise"))),
        scales_(featureScales(problem).cast<float>()),
        truth_(problem) {}

  Chunk chunk(std::int64_t index) const override {
    Random random(problem_.seed, Purpose::Data, index);
    const problem::RowRange range = problem::rowsOf(problem_, index);
    Chunk chunk{index, Matrix(range.count, problem_.features), Floats(range.count), {}};
    for (Eigen::Index i = 0; i < range.count; ++i) {
      auto row = chunk.features.row(i);
      for (float& value : row) value = random.bell();
      chunk.targets[i] = truth_.target(row, noise_ * random.bell());
      row.array() *= scales_.transpose().array();
    }
    return chunk;
  }

 private:
  problem::Problem problem_;
  float noise_;
  Floats scales_;
  Truth truth_;
};

}  // namespace

std::span<const problem::Setting> linearDataSettings() { return kLinearDataSettings; }

std::unique_ptr<Source> makeRegressionData(const problem::Problem& problem) {
  return std::make_unique<LinearData<Regression>>(problem);
}

std::unique_ptr<Source> makeTwoClassData(const problem::Problem& problem) {
  return std::make_unique<LinearData<TwoClasses>>(problem);
}

std::unique_ptr<Source> makeCurvedClassData(const problem::Problem& problem) {
  return std::make_unique<LinearData<CurvedClasses>>(problem);
}

}  // namespace slaq::trainer::data::generators
