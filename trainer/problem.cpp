#include "trainer/problem.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace slaq::trainer {
namespace {

// A state or a partial result travels as one message, which has a bound.
constexpr std::int64_t kMostNumbers = 4'000'000;
constexpr double kMostValues = 1e10;  // rows x features, 40 GB

tl::unexpected<Error> refuse(const std::string& sentence) { return failure(ErrorKind::Invalid, sentence); }

bool isPositive(double number) { return std::isfinite(number) && number > 0; }

Result<void> validateSizes(const Problem& problem) {
  struct Size {
    const char* flag;
    std::int64_t value;
  };
  for (const Size& size : std::array{Size{"--rows", problem.rows}, Size{"--features", problem.features},
                                     Size{"--chunks", problem.chunks}}) {
    if (size.value < 1) return refuse(std::string(size.flag) + " must be at least 1");
  }
  if (problem.clusters < 0) return refuse("--clusters must be at least 1");
  if (problem.chunks > problem.rows) return refuse("--chunks must be at most --rows");
  if (static_cast<double>(problem.rows) * static_cast<double>(problem.features) > kMostValues) {
    return refuse("--rows times --features must be at most 10,000,000,000");
  }
  if (problem.clusters > kMostNumbers || problem.features > kMostNumbers ||
      (problem.clusters + 1) * problem.features > kMostNumbers) {
    return refuse("the model must have at most 4,000,000 parameters: take fewer features or clusters");
  }
  return {};
}

}  // namespace

Result<void> validate(const Problem& problem) {
  if (auto sizes = validateSizes(problem); !sizes) return sizes;
  if (!isPositive(problem.learningRate)) return refuse("--learning-rate must be above 0");
  if (!std::isfinite(problem.l2) || problem.l2 < 0) return refuse("--l2 must be 0 or more");
  if (!std::isfinite(problem.noise) || problem.noise < 0) return refuse("--noise must be 0 or more");
  if (!std::isfinite(problem.condition) || problem.condition < 1) {
    return refuse("--condition must be at least 1");
  }
  return {};
}

RowRange rowsOf(const Problem& problem, std::int64_t chunk) {
  const std::int64_t each = problem.rows / problem.chunks;
  const std::int64_t longer = problem.rows % problem.chunks;  // the first chunks have one row more
  const std::int64_t first = chunk * each + std::min(chunk, longer);
  return {first, each + (chunk < longer ? 1 : 0)};
}

}  // namespace slaq::trainer
