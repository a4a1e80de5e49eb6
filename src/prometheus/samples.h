// Comparison of samples, for all sources.
#pragma once

#include <bit>
#include <cstdint>

#include "ports/loss_source.h"

namespace slaq::prom {

// True if two samples have the same values, whatever their times. Bits are compared, so that NaN equals NaN.
inline bool repeats(const LossSample& a, const LossSample& b) {
  const auto same = [](double x, double y) {
    return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
  };
  return same(a.iteration.value(), b.iteration.value()) && same(a.loss.value(), b.loss.value());
}

}  // namespace slaq::prom
