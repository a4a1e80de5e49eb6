#include "schedule/price_search.h"

#include <algorithm>
#include <cmath>

namespace slaq {
namespace {

// Counts at a price are sure but for so much of it: there gains are asked one by one.
constexpr double kDoubt = 1e-7;

// Logarithms of prices beyond which nobody gains anything that counts, and nobody buys.
constexpr double kLowest = -80;
constexpr double kHighest = 80;

// A first price is looked for among so many jobs.
constexpr std::size_t kSample = 128;
constexpr int kHalvings = 16;

// Asking a job at all prices takes as long as giving so many units.
constexpr std::size_t kUnitsPerAsked = 16;

constexpr double kWarmStep = 0.01;
constexpr double kColdStep = 0.05;
constexpr int kRounds = 40;

}  // namespace

bool PriceSearch::load(std::span<const Candidate> candidates, Seconds epoch, double iterations) {
  candidates_ = candidates;
  return !candidates.empty() && buyers_.load(candidates, epoch, iterations);
}

bool PriceSearch::load(const Prospects& prospects) {
  candidates_ = prospects.candidates();
  return !candidates_.empty() && buyers_.load(prospects);
}

bool PriceSearch::paysFor(Cores capacity) const {
  const auto units = static_cast<std::size_t>(capacity.value() / candidates_.front().perUnit.value());
  return kUnitsPerAsked * buyers_.asked() <= units;
}

Cores PriceSearch::divide(Cores capacity, Allocation& allocation) {
  const auto minimums = buyers_.minimums();
  allocation.assign(minimums.begin(), minimums.end());
  const Cores left = capacity - buyers_.minimumCores();
  const Cores perUnit = candidates_.front().perUnit;
  if (buyers_.size() == 0 || left < perUnit) return left;
  const auto more = left.value() / perUnit.value();
  const double units = static_cast<double>(buyers_.least() + more);
  Bracket bracket = around(last_.value_or(roughly(units)), units);
  narrow(bracket, units);
  return left - perUnit * (more - settle(bracket, units, allocation));
}

void PriceSearch::beginAt(double price) {
  last_.reset();
  if (price > 0) last_ = std::clamp(std::log(price), kLowest, kHighest);
}

double PriceSearch::tolerance() const { return 16 + static_cast<double>(buyers_.size()) / 512; }

double PriceSearch::roughly(double units) const {
  const std::size_t every = std::max<std::size_t>(1, buyers_.size() / kSample);
  double low = -64;
  double high = 16;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = 0.5 * (low + high);
    (buyers_.sampleAt(middle, every) < units ? high : low) = middle;
  }
  return 0.5 * (low + high);
}

PriceSearch::Bracket PriceSearch::around(double start, double units) const {
  const double bought = buyers_.countAt(start);
  Bracket bracket{start, start, bought, bought};
  double step = last_ ? kWarmStep : kColdStep;
  while (bracket.few >= units && bracket.high < kHighest) {
    bracket.low = bracket.high;
    bracket.many = bracket.few;
    bracket.high = std::min(kHighest, bracket.high + step);
    bracket.few = buyers_.countAt(bracket.high);
    step *= 4;
  }
  while (bracket.many < units && bracket.low > kLowest) {
    bracket.high = bracket.low;
    bracket.few = bracket.many;
    bracket.low = std::max(kLowest, bracket.low - step);
    bracket.many = buyers_.countAt(bracket.low);
    step *= 4;
  }
  return bracket;
}

// The logarithm of what is bought is nearly a straight line over that of the price: its secant, aimed a
// little beyond what is wanted, so that both ends close in. Every third time by halves.
void PriceSearch::narrow(Bracket& bracket, double units) const {
  const double within = tolerance();
  bool wasFew = true;
  for (int round = 1; round <= kRounds; ++round) {
    const double width = bracket.high - bracket.low;
    if (bracket.many - bracket.few <= within || width < kDoubt) return;
    const double aim = units + (wasFew ? 0.4 : -0.4) * within;
    const double few = std::log(std::max(1.0, bracket.few));
    const double share = (std::log(std::max(1.0, bracket.many)) - std::log(std::max(1.0, aim))) /
                         (std::log(std::max(1.0, bracket.many)) - few);
    const bool isUsable = round % 4 != 0 && share > 0 && share < 1;
    const double price = bracket.low + (isUsable ? share : 0.5) * width;
    const double bought = buyers_.countAt(price);
    wasFew = bought < units;
    (wasFew ? bracket.high : bracket.low) = price;
    (wasFew ? bracket.few : bracket.many) = bought;
  }
}

// The search counts roughly, and gains are rounded: where either was too rough, the doubt on that side is
// larger. What is left over at one price is all that may be bought at any.
std::int64_t PriceSearch::settle(const Bracket& bracket, double units, Allocation& allocation) {
  last_ = 0.5 * (bracket.high + bracket.low);
  const auto all = static_cast<std::int64_t>(units);
  double above = kDoubt;
  double below = kDoubt;
  for (;;) {
    const double lowest = std::max(kLowest, bracket.low - below);
    const auto counts = buyers_.countEach(bracket.high + above, lowest);
    if (counts.fewest > all) {
      above *= 8;
    } else if (counts.most < all && lowest > kLowest) {
      below *= 8;
    } else {
      const std::int64_t left = contest(all - counts.fewest, allocation);
      if (left == 0 || lowest == kLowest) return left;
      below = kHighest - kLowest;
    }
  }
}

// Unit by unit among those whose next ones are worth about the price.
std::int64_t PriceSearch::contest(std::int64_t units, Allocation& allocation) {
  contested_.clear();
  buyers_.forEach([&](std::uint32_t place, std::int32_t fewest, std::int32_t most) {
    allocation[place] = fewest;
    if (most > fewest) contested_.push_back({0, place, most});
  });
  const auto comesLater = [](const Contested& a, const Contested& b) {
    return a.gain < b.gain || (a.gain == b.gain && a.place > b.place);
  };
  for (auto& each : contested_) {
    each.gain = buyers_.gainPerCore(each.place, allocation[each.place]);
  }
  std::ranges::make_heap(contested_, comesLater);
  while (units > 0 && !contested_.empty()) {
    std::ranges::pop_heap(contested_, comesLater);
    Contested& best = contested_.back();
    if (!(best.gain > 0)) break;
    --units;
    if (++allocation[best.place] == best.most) {
      contested_.pop_back();
      continue;
    }
    best.gain = buyers_.gainPerCore(best.place, allocation[best.place]);
    std::ranges::push_heap(contested_, comesLater);
  }
  return units;
}

}  // namespace slaq
