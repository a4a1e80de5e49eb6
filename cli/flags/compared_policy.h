// The meaning of --compare for commands that run or simulate jobs.
#pragma once

#include <string_view>

#include "base/result.h"

namespace slaq::cli::flags {

// The policy under which the same jobs are run or simulated a second time.
inline constexpr std::string_view kComparedPolicy = "Fair";

// Invalid if `policy` is this policy itself.
inline Result<void> checkCompared(bool compare, std::string_view policy) {
  if (!compare || policy != kComparedPolicy) return {};
  return failure(ErrorKind::Invalid, "--compare: compares with Fair; give another --policy");
}

}  // namespace slaq::cli::flags
