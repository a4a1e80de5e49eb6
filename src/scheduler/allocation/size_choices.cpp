#include "scheduler/allocation/size_choices.h"

#include <algorithm>
#include <limits>

namespace slaq::scheduler {
namespace {

// At first every size is looked at. Beyond 2 * kStepShare units, each size is larger than the last by its
// kStepShare-th part. The local search finds what fits between two of them.
constexpr std::int32_t kStepShare = 8;

std::int32_t sizeAfter(std::int32_t units) { return units + std::max(1, units / kStepShare); }

// The next size to look at: `next`, or a smaller one that the job has or was given.
std::int32_t beforeStandingSize(const Demand& demand, std::int32_t units, std::int32_t next) {
  if (!demand.runs()) return next;
  for (const std::int32_t size : {demand.kept(), demand.decided()}) {
    if (units < size && size < next) return size;
  }
  return next;
}

}  // namespace

SizeChoices::SizeChoices(const Demand& demand, const UtilityRule& rule)
    : utility_(demand, rule), coresOfUnit_(inCores(demand.perUnit)) {
  for (std::int32_t units = demand.min; units < demand.max;) {
    add(units);
    const std::int32_t next =
        demand.allowed.empty() ? std::min(sizeAfter(units), demand.max) : *demand.after(units);
    units = beforeStandingSize(demand, units, next);
  }
  add(demand.max);
}

double SizeChoices::gainAfter(std::int32_t units) const {
  for (std::size_t v = 0; v < last(); ++v) {
    if (unitsAt(v + 1) > units) return envelope_.slopeAfter(v) / coresOfUnit_;
  }
  return -std::numeric_limits<double>::infinity();
}

double SizeChoices::gainBefore(std::int32_t units) const {
  for (std::size_t v = last(); v > 0; --v) {
    if (unitsAt(v - 1) < units) return envelope_.slopeAfter(v - 1) / coresOfUnit_;
  }
  return std::numeric_limits<double>::infinity();
}

}  // namespace slaq::scheduler
