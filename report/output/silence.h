// Decides when a guess of the loss is better than no loss.
#pragma once

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "report/output/report.h"

namespace slaq::report {

// A training that writes nothing may do so for hours: in its next iteration, or in the validation after it.
// Then the best guess so far is served. A validation takes no longer than the iteration before it, whose
// progress was seen; so the silence has to last longer than that, and than kShortest.
class Silence {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::seconds kShortest{3};

  // Called again and again with the present guess, which is empty once the loss is known, and with whether
  // any progress was seen yet. Returns the guess if it is to be served.
  std::optional<Report> look(const std::optional<Report>& guess, bool hasBegun, Clock::time_point now) {
    if (hasBegun && !first_) first_ = now;
    if (std::exchange(guess_, guess) != guess) last_ = now;
    if (!guess || !first_) return std::nullopt;
    const bool isLong = now - last_ >= std::max<Clock::duration>(kShortest, last_ - *first_);
    return isLong ? guess : std::nullopt;
  }

 private:
  std::optional<Report> guess_;
  std::optional<Clock::time_point> first_;  // when progress was seen
  Clock::time_point last_;                  // when the guess changed
};

}  // namespace slaq::report
