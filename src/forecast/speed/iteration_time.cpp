#include "forecast/speed/iteration_time.h"

#include <Eigen/Dense>
#include <cmath>
#include <limits>
#include <vector>

#include "forecast/constants.h"

namespace slaq::forecast {
namespace {

constexpr std::size_t kTerms = 4;
constexpr unsigned kAllTerms = (1U << kTerms) - 1;

std::array<double, kTerms> termsAt(double size) { return {1, 1 / size, std::log(size), size}; }

struct Fit {
  IterationTime time;
  double score = std::numeric_limits<double>::infinity();
};

// Ordinary least squares with only those terms. The score is infinite if a coefficient would be negative, or
// if an iteration at size 1 would take no time, as with the logarithm alone.
Fit fitTerms(std::span<const TimedSize> sizes, const std::vector<std::size_t>& terms) {
  const auto rows = static_cast<Eigen::Index>(sizes.size());
  const auto columns = static_cast<Eigen::Index>(terms.size());
  Eigen::MatrixXd matrix(rows, columns);
  Eigen::VectorXd wanted(rows);
  for (Eigen::Index row = 0; row < rows; ++row) {
    const TimedSize& seen = sizes[static_cast<std::size_t>(row)];
    const double scale = std::sqrt(seen.weight) / kIterationNoise;
    const auto all = termsAt(seen.size);
    for (Eigen::Index column = 0; column < columns; ++column)
      matrix(row, column) = scale * all[terms[static_cast<std::size_t>(column)]] / seen.seconds;
    wanted(row) = scale;
  }
  const Eigen::VectorXd solved = matrix.colPivHouseholderQr().solve(wanted);
  Fit fit;
  if (!solved.allFinite() || (solved.array() < 0).any()) return fit;
  fit.time.coefficients = {};
  for (std::size_t i = 0; i < terms.size(); ++i)
    fit.time.coefficients[terms[i]] = solved(static_cast<Eigen::Index>(i));
  if (!(fit.time.at(1) > 0)) return fit;
  fit.score = (matrix * solved - wanted).squaredNorm() + kPenalty * static_cast<double>(terms.size());
  return fit;
}

}  // namespace

double IterationTime::at(double size) const {
  const auto terms = termsAt(size);
  double sum = 0;
  for (std::size_t i = 0; i < kTerms; ++i) sum += coefficients[i] * terms[i];
  return sum;
}

// Tries all 15 sets of terms and takes the best one.
IterationTime fitIterationTime(std::span<const TimedSize> sizes) {
  if (sizes.size() == 1) return {{0, sizes[0].seconds * sizes[0].size, 0, 0}};
  Fit best;
  for (unsigned set = 1; set <= kAllTerms; ++set) {
    std::vector<std::size_t> terms;
    for (std::size_t term = 0; term < kTerms; ++term) {
      if (((set >> term) & 1U) != 0) terms.push_back(term);
    }
    if (terms.size() > sizes.size()) continue;
    const Fit fit = fitTerms(sizes, terms);
    if (fit.score < best.score) best = fit;
  }
  return best.time;
}

}  // namespace slaq::forecast
