// The newest durations that were measured, such as the pauses of resizes, of one job or of many.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>

#include "base/units.h"

namespace slaq::scheduler {

template <std::size_t kKept>
class PauseRecord {
 public:
  void add(Seconds pause) { last_[count_++ % kKept] = pause; }
  std::size_t count() const { return count_; }

  // The median of the kept ones, 0 at least. Empty before two were measured, because one alone may be chance.
  std::optional<Seconds> median() const { return quantile(0.5); }
  // Three quarters of the kept ones were longer, so at least this can be relied on.
  std::optional<Seconds> lowerQuartile() const { return quantile(0.25); }

 private:
  std::optional<Seconds> quantile(double share) const {
    if (count_ < 2) return std::nullopt;
    auto sorted = last_;
    const std::size_t kept = std::min(count_, kKept);
    std::sort(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(kept));
    return std::max(Seconds(0), sorted[static_cast<std::size_t>(share * static_cast<double>(kept))]);
  }

  std::array<Seconds, kKept> last_{};
  std::size_t count_ = 0;
};

}  // namespace slaq::scheduler
