#include "schedule/prospects.h"

#include <cmath>

namespace slaq {

Prospects::Prospects(std::span<const Candidate> candidates, Seconds epoch)
    : candidates_(candidates), epoch_(epoch) {
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const Candidate& candidate = candidates[i];
    if (candidate.curve.fallsEverSlower(std::floor(candidate.iteration))) continue;
    keptAt_.resize(candidates.size(), kNone);
    keptAt_[i] = static_cast<std::uint32_t>(kept_.size());
    kept_.emplace_back(candidate, inCores(candidate.cores(candidate.max)) * epoch.count());
  }
}

const Prospect& Prospects::operator[](std::size_t place) const {
  if (!keptAt_.empty() && keptAt_[place] != kNone) return kept_[keptAt_[place]];
  if (!made_ || madeAt_ != place) made_ = Prospect(candidates_[place]);
  madeAt_ = place;
  return *made_;
}

double Prospects::gainPerCore(std::size_t place, std::int32_t units) const {
  const Candidate& candidate = candidates_[place];
  const Prospect& prospect = (*this)[place];
  const double before = prospect.worth(inCores(candidate.cores(units)) * epoch_.count());
  const double after = prospect.worth(inCores(candidate.cores(units + 1)) * epoch_.count());
  return (after - before) / (inCores(candidate.perUnit) * epoch_.count());
}

double Prospects::promise(std::size_t place, std::int32_t units) const {
  return promiseOf((*this)[place], candidates_[place], units, epoch_);
}

double Prospects::rounding(std::size_t place) const {
  return (*this)[place].rounding() / (inCores(candidates_[place].perUnit) * epoch_.count());
}

}  // namespace slaq
