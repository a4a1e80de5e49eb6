#include "scheduler/allocation/demand.h"

namespace slaq::scheduler {

bool Demand::allows(std::int32_t units) const {
  return allowed.empty() || units == min || units == max ||
         std::ranges::binary_search(allowed, Workers(units));
}

std::optional<std::int32_t> Demand::after(std::int32_t units) const {
  if (units >= max) return std::nullopt;
  if (allowed.empty()) return units + 1;
  const auto next = std::ranges::upper_bound(allowed, Workers(units));
  return next == allowed.end() ? max : std::min(max, next->value());
}

std::int32_t Demand::atMost(std::int32_t units) const { return atMostAllowed(allowed, min, units); }

std::int32_t atMostAllowed(std::span<const Workers> allowed, std::int32_t least, std::int32_t units) {
  if (allowed.empty()) return std::max(least, units);
  const auto above = std::ranges::upper_bound(allowed, Workers(units));
  return above == allowed.begin() ? least : std::max(least, std::prev(above)->value());
}

std::vector<Demand> demandsAbove(std::span<const Demand> demands, const Allocation& allocation) {
  std::vector<Demand> rest(demands.begin(), demands.end());
  for (std::size_t i = 0; i < rest.size(); ++i) rest[i].min = allocation[i];
  return rest;
}

Budget leftBy(std::span<const Demand> demands, const Allocation& allocation, Budget budget) {
  for (std::size_t i = 0; i < demands.size(); ++i) {
    budget.take(demands[i].cores(allocation[i]), demands[i].group);
  }
  return budget;
}

Budget leftByMinimums(std::span<const Demand> demands, Budget budget) {
  for (const auto& each : demands) budget.take(each.cores(each.min), each.group);
  return budget;
}

}  // namespace slaq::scheduler
