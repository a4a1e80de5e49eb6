#include "scheduler/allocation/price_allocation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/share_work.h"
#include "scheduler/allocation/fair_share.h"
#include "scheduler/allocation/local_search.h"
#include "scheduler/allocation/size_choices.h"

namespace slaq::scheduler {
namespace {

// Logarithms of prices. Below the first no job has a gain that counts; at the second no job takes more than
// its minimum. Two prices whose logarithms differ by less than the third are the same.
constexpr double kLowestLogPrice = -40;
constexpr double kHighestLogPrice = 10;
constexpr double kSameLogPrice = 1e-9;

// This many jobs on either side of the price take part in the local search.
constexpr std::size_t kSearchedOnEachSide = 48;

// Waking a thread takes as long as the work for this number of jobs.
constexpr std::size_t kJobsForAThread = 256;

class PriceAllocation {
 public:
  PriceAllocation(std::span<const Demand> demands, const Budget& budget, const UtilityRule& rule)
      : demands_(demands), budget_(budget), rule_(rule), choices_(demands.size()) {
    shareWork(demands.size(), threadsFor(demands.size(), kJobsForAThread),
              [&](std::size_t begin, std::size_t end) {
                for (std::size_t i = begin; i < end; ++i) choices_[i].emplace(demands[i], rule);
              });
    groupPrices_.assign(demands.size(), 0);
    tooManyInGroup_.assign(demands.size(), 0);
    ranges_.resize(demands.size());
  }

  PricedAllocation find() {
    if (demands_.empty()) return {};
    priceGroups();
    std::vector<std::size_t> all(demands_.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    const double price = clearingPrice(all, budget_.all);
    for (const std::size_t i : all) {
      if (groupPrices_[i] > price) ranges_[i].tooMany = tooManyInGroup_[i];
      allocation_.push_back(choices_[i]->unitsAt(ranges_[i].fitting));
    }
    growIntoWhatIsLeft();
    const auto utilityOf = [&](std::size_t i, std::int32_t units) {
      return choices_[i]->utility().at(units);
    };
    searchLocally(demands_, budget_, utilityOf, nearestToThePrice(), allocation_);
    allocation_ = withIdleCores(demands_, budget_, std::move(allocation_),
                                {.horizon = rule_.idleHorizon,
                                 .leastGain = rule_.keepingBonus,
                                 .leastChangeInPlace = rule_.leastChangeInPlace});
    return priced(price);
  }

 private:
  // The best vertices of a demand at the two prices around the clearing price. The demands fit at the higher
  // price, but not at the lower one.
  struct Range {
    std::size_t fitting = 0;
    std::size_t tooMany = 0;
    std::size_t tried = 0;  // at a price between them
  };

  double priceFor(std::size_t i, double price) const { return std::max(price, groupPrices_[i]); }

  // True if the sizes that the jobs take at this price fit. Narrows their ranges accordingly.
  bool tryPrice(const std::vector<std::size_t>& places, double price, Cores available) {
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

  // The lowest price at which the sizes of the jobs fit, by bisection on its logarithm; 0 where all that the
  // jobs can use fits.
  double clearingPrice(const std::vector<std::size_t>& places, Cores available) {
    for (const std::size_t i : places) ranges_[i] = {0, choices_[i]->last()};
    if (tryPrice(places, 0, available)) {
      for (const std::size_t i : places) ranges_[i].tooMany = ranges_[i].fitting;
      return 0;
    }
    double low = kLowestLogPrice;
    double high = kHighestLogPrice;
    while (high - low > kSameLogPrice) {
      const double middle = 0.5 * (low + high);
      (tryPrice(places, std::exp(middle), available) ? high : low) = middle;
    }
    return std::exp(high);
  }

  // Each group's own price, at which its jobs fit its limit. It does not depend on the other jobs: what the
  // group's jobs would do at a lower common price does not count.
  void priceGroups() {
    groups_.resize(budget_.groups.size());
    for (std::size_t i = 0; i < demands_.size(); ++i) {
      if (demands_[i].group != kNoGroup) groups_[static_cast<std::size_t>(demands_[i].group)].push_back(i);
    }
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      const double price = clearingPrice(groups_[g], budget_.groups[g]);
      for (const std::size_t i : groups_[g]) {
        groupPrices_[i] = price;
        tooManyInGroup_[i] = ranges_[i].tooMany;
      }
    }
  }

  // Gives each job as much as fits of what it would take at the lower price, if that is better for the job.
  void growIntoWhatIsLeft() {
    Budget left = leftBy(demands_, allocation_, budget_);
    for (std::size_t i = 0; i < demands_.size(); ++i) {
      const std::int32_t more = choices_[i]->unitsAt(ranges_[i].tooMany) - allocation_[i];
      const Demand& demand = demands_[i];
      const auto fitting =
          std::max<std::int64_t>(0, left.leftFor(demand.group).value()) / demand.perUnit.value();
      const auto most = allocation_[i] + static_cast<std::int32_t>(std::min<std::int64_t>(fitting, more));
      const std::int32_t units = demand.atMost(most) - allocation_[i];
      const Utility& utility = choices_[i]->utility();
      if (units <= 0 || !(utility.at(allocation_[i] + units) > utility.at(allocation_[i]))) continue;
      left.take(demand.perUnit * units, demand.group);
      allocation_[i] += units;
    }
  }

  // The jobs that gain most by more units, and the jobs that lose least by giving their last units.
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
    const auto endOfTakers = moveNearestFirst(places.begin());
    for (const std::size_t i : places) rank[i] = choices_[i]->gainBefore(allocation_[i]);
    places.erase(moveNearestFirst(endOfTakers), places.end());
    std::ranges::sort(places);
    return places;
  }

  PricedAllocation priced(double price) {
    PricedAllocation result{.units = std::move(allocation_), .gains = {}, .price = {}};
    result.gains.resize(demands_.size());
    shareWork(demands_.size(), threadsFor(demands_.size(), kJobsForAThread),
              [&](std::size_t begin, std::size_t end) {
                for (std::size_t i = begin; i < end; ++i)
                  result.gains[i] = marginalGains(demands_[i], choices_[i]->utility(), result.units[i], 0);
              });
    std::vector<std::size_t> atCommonPrice;
    for (std::size_t i = 0; i < demands_.size(); ++i) {
      if (groupPrices_[i] <= price) atCommonPrice.push_back(i);
    }
    const double common = setPrice(result, atCommonPrice, price);
    for (const auto& group : groups_) {
      if (!group.empty() && groupPrices_[group.front()] > price)
        setPrice(result, group, std::max(groupPrices_[group.front()], common));
    }
    const auto hasChoice = [](const Demand& demand) { return demand.min < demand.max; };
    if (std::ranges::any_of(demands_, hasChoice)) result.price = common;
    return result;
  }

  // Whole units do not meet the price of the bisection exactly. No job that keeps its size should be denied a
  // unit that gains more than the price. No job should have given up units that gain more, or have grown for
  // less. The price of the jobs at `places` moves between these bounds, where there is room between them.
  double setPrice(PricedAllocation& result, const std::vector<std::size_t>& places, double price) const {
    double denied = 0;
    double grown = std::numeric_limits<double>::infinity();
    for (const std::size_t i : places) {
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
    for (const std::size_t i : places) result.gains[i].price = price;
    return price;
  }

  std::span<const Demand> demands_;
  const Budget& budget_;
  const UtilityRule& rule_;
  std::vector<std::optional<SizeChoices>> choices_;
  std::vector<Range> ranges_;
  std::vector<std::vector<std::size_t>> groups_;  // the places of each limited group
  std::vector<double> groupPrices_;  // of each demand; 0 without a group, or where its limit is not reached
  std::vector<std::size_t> tooManyInGroup_;  // Range::tooMany at the price of the group
  Allocation allocation_;
};

}  // namespace

MarginalGains marginalGains(const Demand& demand, const Utility& utility, std::int32_t units, double price) {
  MarginalGains gains{.next = {}, .change = {}, .price = price};
  for (auto more = demand.after(units); more && !gains.next; more = demand.after(*more)) {
    if (!std::isfinite(utility.at(*more))) continue;
    gains.next = utility.gainPerCoreSecond(units, *more);
    gains.nextUnits = *more;
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
