// What --compare means, of commands that run or simulate jobs.
#pragma once

#include <string_view>

#include "base/result.h"

namespace slaq::cli::flags {

// The same jobs are run or simulated under this policy, too.
inline constexpr std::string_view kComparedPolicy = "Fair";

// Invalid where that is the policy itself.
inline Result<void> checkCompared(bool compare, std::string_view policy) {
  if (!compare || policy != kComparedPolicy) return {};
  return failure(ErrorKind::Invalid, "--compare: compares with Fair; give another --policy");
}

}  // namespace slaq::cli::flags
