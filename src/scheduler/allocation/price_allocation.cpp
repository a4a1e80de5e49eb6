#include "scheduler/allocation/price_allocation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include "base/share_work.h"
#include "scheduler/allocation/fair_share.h"
#include "scheduler/allocation/local_search.h"

namespace slaq::scheduler {
namespace {

// Logarithms of prices: below the first nobody gains anything that counts, at the second nobody takes more
// than its minimum, and two this near to each other are the same.
constexpr double kLowestLogPrice = -40;
constexpr double kHighestLogPrice = 10;
constexpr double kSameLogPrice = 1e-9;

// Beyond this many sizes the next one looked at is this share larger than the last: between two of them the
// local search finds what fits.
constexpr std::int32_t kSizesInARow = 16;

// This many jobs on either side of the price take part in the local search.
constexpr std::size_t kSearchedOnEachSide = 48;

// A thread is woken in the time that this many jobs take.
constexpr std::size_t kJobsForAThread = 256;

std::int32_t sizeAfter(std::int32_t units) { return units + std::max(1, units / (kSizesInARow / 2)); }

// A job with the sizes that are best for it at some price: the vertices of the concave envelope of its
// utility over its units.
class Choices {
 public:
  Choices(const Demand& demand, const UtilityRule& rule) : utility_(demand, rule) {
    for (std::int32_t units = demand.min; units < demand.max;) {
      add(units);
      const std::int32_t next = std::min(sizeAfter(units), demand.max);
      const bool passesKept = demand.runs() && units < demand.kept() && demand.kept() < next;
      units = passesKept ? demand.kept() : next;
    }
    add(demand.max);
    perUnit_ = inCores(demand.perUnit) * rule.horizon;
  }

  const Utility& utility() const { return utility_; }

  // Vertices are counted from the minimum on.
  std::size_t last() const { return envelope_.size() - 1; }
  std::int32_t unitsAt(std::size_t vertex) const { return static_cast<std::int32_t>(envelope_[vertex].cost); }

  // The best vertex at the price of a core-second, which is known to be one from `from` to `to`.
  std::size_t best(double price, std::size_t from, std::size_t to) const {
    return envelope_.best(price * perUnit_, from, to);
  }

  // What a core-second is worth from that size on, to the next better one; -infinity if there is none.
  double gainAfter(std::int32_t units) const {
    for (std::size_t v = 0; v < last(); ++v) {
      if (unitsAt(v + 1) > units) return envelope_.slopeAfter(v) / perUnit_;
    }
    return -std::numeric_limits<double>::infinity();
  }

  // What a core-second is worth on the way to that size; infinity at the minimum.
  double gainBefore(std::int32_t units) const {
    for (std::size_t v = envelope_.size() - 1; v > 0; --v) {
      if (unitsAt(v - 1) < units) return envelope_.slopeAfter(v - 1) / perUnit_;
    }
    return std::numeric_limits<double>::infinity();
  }

 private:
  void add(std::int32_t units) { envelope_.add({static_cast<double>(units), utility_.at(units)}); }

  Utility utility_;
  ConcaveEnvelope envelope_;  // over units
  double perUnit_;            // core-seconds of a unit over the horizon
};

class PriceAllocation {
 public:
  PriceAllocation(std::span<const Demand> demands, const Budget& budget, const UtilityRule& rule)
      : demands_(demands), budget_(budget), rule_(rule), choices_(demands.size()) {
    shareWork(demands.size(), threadsFor(demands.size(), kJobsForAThread),
              [&](std::size_t begin, std::size_t end) {
                for (std::size_t i = begin; i < end; ++i) choices_[i].emplace(demands[i], rule);
              });
    floors_.assign(demands.size(), 0);
    ranges_.resize(demands.size());
  }

  PricedAllocation find() {
    if (demands_.empty()) return {};
    priceGroups();
    std::vector<std::size_t> all(demands_.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    const double price = clearingPrice(all, budget_.all);
    for (const std::size_t i : all) allocation_.push_back(choices_[i]->unitsAt(ranges_[i].fitting));
    growIntoTheRest();
    const auto utilityOf = [&](std::size_t i, std::int32_t units) {
      return choices_[i]->utility().at(units);
    };
    searchLocally(demands_, budget_, utilityOf, nearestToThePrice(), allocation_);
    divideTheRestFairly();
    return priced(price);
  }

 private:
  // The best vertices of a demand at the two prices between which the clearing price lies: what is taken at
  // the higher one fits, at the lower one it does not.
  struct Range {
    std::size_t fitting = 0;
    std::size_t tooMany = 0;
    std::size_t tried = 0;  // at the price between them
  };

  double priceFor(std::size_t i, double price) const { return std::max(price, floors_[i]); }

  // Whether what the jobs take at that price fits; the ranges become narrower by that.
  bool fits(const std::vector<std::size_t>& places, double price, Cores available) {
    Cores sum;
    for (const std::size_t i : places) {
      Range& range = ranges_[i];
      range.tried = choices_[i]->best(priceFor(i, price), range.fitting, range.tooMany);
      sum += demands_[i].cores(choices_[i]->unitsAt(range.tried));
    }
    const bool isEnough = sum <= available;
    for (const std::size_t i : places)
      (isEnough ? ranges_[i].fitting : ranges_[i].tooMany) = ranges_[i].tried;
    return isEnough;
  }

  // The lowest price at which what the jobs take fits, by bisection on its logarithm; 0 where everything fits
  // that anybody can use.
  double clearingPrice(const std::vector<std::size_t>& places, Cores available) {
    for (const std::size_t i : places) ranges_[i] = {0, choices_[i]->last()};
    if (fits(places, 0, available)) {
      for (const std::size_t i : places) ranges_[i].tooMany = ranges_[i].fitting;
      return 0;
    }
    double low = kLowestLogPrice;
    double high = kHighestLogPrice;
    while (high - low > kSameLogPrice) {
      const double middle = 0.5 * (low + high);
      (fits(places, std::exp(middle), available) ? high : low) = middle;
    }
    return std::exp(high);
  }

  // A group's own price, at which its jobs fit its limit. What they would do at a lower common price does not
  // count, so that it does not depend on the other jobs.
  void priceGroups() {
    std::vector<std::vector<std::size_t>> places(budget_.groups.size());
    for (std::size_t i = 0; i < demands_.size(); ++i) {
      if (demands_[i].group != kNoGroup) places[static_cast<std::size_t>(demands_[i].group)].push_back(i);
    }
    for (std::size_t g = 0; g < places.size(); ++g) {
      const double price = clearingPrice(places[g], budget_.groups[g]);
      for (const std::size_t i : places[g]) floors_[i] = price;
    }
  }

  // A job that would take more at the lower price gets as much of that as fits, if that is better for it.
  void growIntoTheRest() {
    Budget left = leftBy(demands_, allocation_, budget_);
    for (std::size_t i = 0; i < demands_.size(); ++i) {
      const std::int32_t more = choices_[i]->unitsAt(ranges_[i].tooMany) - allocation_[i];
      const Demand& demand = demands_[i];
      const auto fitting =
          std::max<std::int64_t>(0, left.leftFor(demand.group).value()) / demand.perUnit.value();
      const auto units = static_cast<std::int32_t>(std::min<std::int64_t>(fitting, more));
      const Utility& utility = choices_[i]->utility();
      if (units <= 0 || !(utility.at(allocation_[i] + units) > utility.at(allocation_[i]))) continue;
      left.take(demand.perUnit * units, demand.group);
      allocation_[i] += units;
    }
  }

  // Those to whom more is worth most, and those to whom the last units are worth least.
  std::vector<std::size_t> nearestToThePrice() const {
    std::vector<std::size_t> places(demands_.size());
    std::iota(places.begin(), places.end(), std::size_t{0});
    if (places.size() <= 2 * kSearchedOnEachSide) return places;
    std::vector<double> rank(places.size());
    const auto moveNearestFirst = [&](auto begin) {
      const auto end = begin + kSearchedOnEachSide;
      std::ranges::nth_element(begin, end, places.end(), {},
                               [&](std::size_t i) { return std::pair(rank[i], i); });
      return end;
    };
    for (const std::size_t i : places) rank[i] = -choices_[i]->gainAfter(allocation_[i]);
    const auto givers = moveNearestFirst(places.begin());
    for (const std::size_t i : places) rank[i] = choices_[i]->gainBefore(allocation_[i]);
    places.erase(moveNearestFirst(givers), places.end());
    std::ranges::sort(places);
    return places;
  }

  // A change that costs the job nothing: it starts, it changes anyway, or no change costs it anything.
  bool losesNothingByMore(std::size_t i) const {
    const Demand& demand = demands_[i];
    if (!demand.runs() || allocation_[i] != demand.kept()) return true;
    return demand.growPause == 0 && rule_.keepingBonus == 0;
  }

  void divideTheRestFairly() {
    const Budget left = leftBy(demands_, allocation_, budget_);
    if (left.all <= Cores()) return;
    auto demands = demandsAbove(demands_, allocation_);
    for (std::size_t i = 0; i < demands.size(); ++i) {
      const Demand& demand = demands_[i];
      const bool shrinks = demand.runs() && allocation_[i] < demand.kept();
      if (shrinks) demands[i].max = demand.kept();
      if (!losesNothingByMore(i)) demands[i].max = allocation_[i];
    }
    const Allocation fair = fairShare(demands, budget_);
    for (std::size_t i = 0; i < fair.size(); ++i) {
      const bool isBarred = !std::isfinite(choices_[i]->utility().at(fair[i]));
      if (!isBarred) allocation_[i] = fair[i];
    }
  }

  PricedAllocation priced(double price) {
    PricedAllocation result{.units = std::move(allocation_), .gains = {}, .price = {}};
    result.gains.resize(demands_.size());
    shareWork(demands_.size(), threadsFor(demands_.size(), kJobsForAThread),
              [&](std::size_t begin, std::size_t end) {
                for (std::size_t i = begin; i < end; ++i)
                  result.gains[i] = marginalGains(demands_[i], choices_[i]->utility(), result.units[i], 0);
              });
    for (const double floor : std::set<double>(floors_.begin(), floors_.end())) {
      if (floor > price) setPrice(result, floor, [&](std::size_t i) { return floors_[i] == floor; });
    }
    const double common = setPrice(result, price, [&](std::size_t i) { return floors_[i] <= price; });
    const auto hasChoice = [](const Demand& demand) { return demand.min < demand.max; };
    if (std::ranges::any_of(demands_, hasChoice)) result.price = common;
    return result;
  }

  // Whole units do not meet the price of the bisection exactly. No job that keeps its size should be denied a
  // unit that gains more than the price, none should have given units that gain more, and none should have
  // grown for less: the price of the jobs concerned moves between these bounds, where there is room between
  // them.
  template <class IsConcerned>
  double setPrice(PricedAllocation& result, double price, IsConcerned isConcerned) const {
    double denied = 0;
    double grown = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < demands_.size(); ++i) {
      if (!isConcerned(i)) continue;
      const MarginalGains& gains = result.gains[i];
      if (!gains.change) {
        denied = std::max(denied, gains.next.value_or(0));
      } else if (result.units[i] > demands_[i].kept()) {
        grown = std::min(grown, *gains.change);
      } else {
        denied = std::max(denied, *gains.change);
      }
    }
    if (denied <= grown) price = std::clamp(price, denied, grown);
    for (std::size_t i = 0; i < demands_.size(); ++i) {
      if (isConcerned(i)) result.gains[i].price = price;
    }
    return price;
  }

  std::span<const Demand> demands_;
  const Budget& budget_;
  const UtilityRule& rule_;
  std::vector<std::optional<Choices>> choices_;
  std::vector<Range> ranges_;
  std::vector<double> floors_;  // of each demand's price: that of its group, or 0
  Allocation allocation_;
};

}  // namespace

MarginalGains marginalGains(const Demand& demand, const Utility& utility, std::int32_t units, double price) {
  MarginalGains gains{.next = {}, .change = {}, .price = price};
  for (std::int32_t more = units + 1; more <= demand.max && !gains.next; ++more) {
    if (std::isfinite(utility.at(more))) gains.next = utility.gainPerCoreSecond(units, more);
  }
  if (demand.runs() && units != demand.kept()) {
    gains.change = utility.gainPerCoreSecond(std::min(units, demand.kept()), std::max(units, demand.kept()));
  }
  return gains;
}

PricedAllocation allocateByPrice(std::span<const Demand> demands, const Budget& budget,
                                 const UtilityRule& rule) {
  return PriceAllocation(demands, budget, rule).find();
}

}  // namespace slaq::scheduler
