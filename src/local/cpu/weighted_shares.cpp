#include "local/cpu/weighted_shares.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace slaq::local::cpu {
namespace {

double most(const CpuWish& wish) { return inCores(std::min(wish.wanted, wish.resources.limit)); }
// No process is left without a share, as in the kernel.
double weight(const CpuWish& wish) { return std::max(inCores(wish.resources.request), 0.001); }

}  // namespace

// The process that wants the least for its weight is served first. All processes after it want more than
// their part of what is left.
std::vector<Cores> weightedShares(std::span<const CpuWish> wishes, Cores all) {
  std::vector<std::size_t> order(wishes.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, [&](std::size_t i) { return most(wishes[i]) / weight(wishes[i]); });
  double left = inCores(all);
  double weights = 0;
  for (const auto& wish : wishes) weights += weight(wish);
  std::vector<Cores> shares(wishes.size());
  for (const std::size_t i : order) {
    const double share = std::min(most(wishes[i]), left * weight(wishes[i]) / weights);
    shares[i] = Cores(std::lround(share * 1000));
    left -= share;
    weights -= weight(wishes[i]);
  }
  return shares;
}

}  // namespace slaq::local::cpu
