// What both sources ask of samples.
#pragma once

#include <bit>
#include <cstdint>

#include "loop/ports.h"

namespace slaq {

// Whether two samples say the same, whenever they were read; by their bits, so that a NaN repeats a NaN.
inline bool repeats(const LossSample& a, const LossSample& b) {
  const auto same = [](double x, double y) {
    return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
  };
  return same(a.iteration.value(), b.iteration.value()) && same(a.loss.value(), b.loss.value());
}

}  // namespace slaq
