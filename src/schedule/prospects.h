// The prospects of all candidates of a division, and what their units are worth by them.
#pragma once

#include <optional>

#include "schedule/prospect.h"

namespace slaq {

// Keeps the hulls of curves that are not their own; the other prospects are made as they are asked for, which
// takes less long than to read them from memory. One thread uses it.
class Prospects {
 public:
  // REQUIRES: the candidates outlive it.
  Prospects(std::span<const Candidate> candidates, Seconds epoch);

  std::span<const Candidate> candidates() const { return candidates_; }
  Seconds epoch() const { return epoch_; }

  // Weighted normalized loss per core-second that one more unit is worth over an epoch.
  double gainPerCore(std::size_t place, std::int32_t units) const;
  // What so many units promise in an epoch.
  double promise(std::size_t place, std::int32_t units) const;
  // Gains per core-second are not known better.
  double rounding(std::size_t place) const;

  // Until the next is asked for.
  const Prospect& operator[](std::size_t place) const;

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  std::span<const Candidate> candidates_;
  Seconds epoch_;
  std::vector<Prospect> kept_;
  std::vector<std::uint32_t> keptAt_;  // by place, if any is kept
  mutable std::optional<Prospect> made_;
  mutable std::size_t madeAt_ = 0;
};

}  // namespace slaq
