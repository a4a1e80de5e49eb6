#include "trainer/problem/problem.h"

#include <algorithm>
#include <array>

namespace slaq::trainer::problem {
namespace {

constexpr double kMostValues = 1e10;  // rows x features, 40 GB

tl::unexpected<Error> refuse(const std::string& sentence) { return failure(ErrorKind::Invalid, sentence); }

}  // namespace

Result<void> validateSizes(const Problem& problem) {
  struct Size {
    const char* flag;
    std::int64_t value;
  };
  for (const Size& size : std::array{Size{"--rows", problem.rows}, Size{"--features", problem.features},
                                     Size{"--chunks", problem.chunks}}) {
    if (size.value < 1) return refuse(std::string(size.flag) + " must be at least 1");
  }
  if (problem.chunks > problem.rows) {
    return refuse("--chunks must be at most the number of rows, " + std::to_string(problem.rows));
  }
  if (static_cast<double>(problem.rows) * static_cast<double>(problem.features) > kMostValues) {
    return refuse("--rows times --features must be at most 10,000,000,000");
  }
  return {};
}

RowRange rowsOf(const Problem& problem, std::int64_t chunk) {
  const std::int64_t each = problem.rows / problem.chunks;
  const std::int64_t longer = problem.rows % problem.chunks;  // the first chunks have one row more
  const std::int64_t first = chunk * each + std::min(chunk, longer);
  return {first, each + (chunk < longer ? 1 : 0)};
}

}  // namespace slaq::trainer::problem
