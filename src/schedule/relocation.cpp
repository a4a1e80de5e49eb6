#include "schedule/relocation.h"

#include <algorithm>
#include <cmath>

#include "schedule/chooser.h"

namespace slaq {
namespace {

// Logarithms of prices, and how near to each other two of them end.
constexpr double kLowest = -40;
constexpr double kHighest = 10;
constexpr double kNarrow = 5e-11;

// Among more jobs than kMany the search begins about the price that every kEveryth of them would pay.
constexpr std::size_t kMany = 128;
constexpr std::size_t kEvery = 8;
constexpr double kFirstStep = 0.05;

class Relocation {
 public:
  Relocation(std::span<const Candidate> candidates, const Allocation& held, Cores capacity, Seconds horizon)
      : candidates_(candidates), held_(held), capacity_(capacity), horizon_(horizon) {
    choosers_.reserve(candidates.size());
    for (std::size_t i = 0; i < candidates.size(); ++i)
      choosers_.emplace_back(candidates[i], held[i], horizon);
  }

  Allocation find() {
    search();
    left_ = capacity_ - coresOf(candidates_, chosen_);
    if (left_ < Cores()) {
      takeBack();
    } else {
      growAtLower();
      giveRest();
    }
    return std::move(chosen_);
  }

 private:
  // Finds the lowest price at which the choices fit; its logarithm. Without one they are those at the
  // highest.
  double search() {
    if (choosers_.size() > kMany) {
      around(priceOfSome());
    } else if (!fits(kHighest)) {
      return kHighest;
    }
    while (high_ - low_ > kNarrow) {
      const double middle = 0.5 * (low_ + high_);
      (fits(middle) ? high_ : low_) = middle;
    }
    return high_;
  }

  // True if what all choose at a price fits; then it is kept.
  bool fits(double logPrice) {
    const double price = std::exp(logPrice);
    Allocation tried;
    tried.reserve(choosers_.size());
    for (auto& each : choosers_) tried.push_back(each.choose(price));
    const bool isEnough = coresOf(candidates_, tried) <= capacity_;
    for (auto& each : choosers_) each.narrow(isEnough);
    if (isEnough || logPrice >= kHighest) chosen_ = std::move(tried);
    return isEnough;
  }

  // Every so manyth job with its part of the cores.
  double priceOfSome() const {
    std::vector<Candidate> some;
    Allocation held;
    for (std::size_t i = 0; i < candidates_.size(); i += kEvery) {
      some.push_back(candidates_[i]);
      held.push_back(held_[i]);
    }
    const double share = static_cast<double>(some.size()) / static_cast<double>(candidates_.size());
    const Cores part(static_cast<std::int64_t>(share * static_cast<double>(capacity_.value())));
    return Relocation(some, held, part, horizon_).search();
  }

  // Two prices about that one: the higher fits, or is the highest, and the lower does not fit.
  void around(double start) {
    double step = kFirstStep;
    if (!fits(start)) {
      for (high_ = start; high_ < kHighest; step *= 2) {
        low_ = high_;
        high_ = std::min(high_ + step, kHighest);
        if (fits(high_)) return;
      }
      return;
    }
    high_ = start;
    for (low_ = start - step; low_ > kLowest && fits(low_); low_ -= step) {
      high_ = low_;
      step *= 2;
    }
  }

  // Where changes that are too small are left alone there may be too little for the others.
  void takeBack() {
    std::vector<std::pair<double, std::size_t>> order;
    for (std::size_t i = 0; i < choosers_.size(); ++i) {
      const Candidate& each = candidates_[i];
      if (chosen_[i] <= each.min) continue;
      const double lost = choosers_[i].gain(chosen_[i]) - choosers_[i].gain(each.min);
      order.emplace_back(lost / inCores(each.perUnit * (chosen_[i] - each.min)), i);
    }
    std::ranges::sort(order);
    for (const auto& [lost, i] : order) {
      const auto unit = candidates_[i].perUnit.value();
      const auto missing = std::max<std::int64_t>(0, (unit - 1 - left_.value()) / unit);
      give(i, -static_cast<std::int32_t>(std::min<std::int64_t>(missing, chosen_[i] - candidates_[i].min)));
    }
  }

  // What all would do at the price where it no longer fits, as far as it does.
  void growAtLower() {
    const double price = std::exp(low_);
    for (std::size_t i = 0; i < choosers_.size(); ++i) {
      Chooser& each = choosers_[i];
      const std::int32_t more = fitting(i, each.choose(price) - chosen_[i]);
      if (more <= 0 || each.isTooSmall(chosen_[i] + more)) continue;
      const bool pays = each.gain(chosen_[i] + more) > (1 + Chooser::kMargin) * each.gain(chosen_[i]);
      if (pays) give(i, more);
    }
  }

  // First to those that change anyway, by what they gain.
  void giveRest() {
    std::vector<std::pair<double, std::size_t>> order;
    for (std::size_t i = 0; i < choosers_.size(); ++i) {
      const Chooser& each = choosers_[i];
      if (each.runs() && chosen_[i] == each.kept()) continue;
      const std::int32_t to = std::min(candidates_[i].max, shrinks(i) ? each.kept() : chosen_[i] + 1);
      order.emplace_back(-(each.gain(to) - each.gain(chosen_[i])) / inCores(candidates_[i].perUnit), i);
    }
    std::ranges::sort(order);
    for (const auto& [gain, i] : order) {
      const std::int32_t most = shrinks(i) ? choosers_[i].kept() : candidates_[i].max;
      give(i, fitting(i, most - chosen_[i]));
    }
  }

  bool shrinks(std::size_t i) const { return choosers_[i].runs() && chosen_[i] < choosers_[i].kept(); }

  std::int32_t fitting(std::size_t i, std::int32_t wanted) const {
    const auto fit = left_.value() / candidates_[i].perUnit.value();
    return static_cast<std::int32_t>(std::clamp<std::int64_t>(fit, 0, std::max(0, wanted)));
  }

  void give(std::size_t i, std::int32_t units) {
    chosen_[i] += units;
    left_ -= candidates_[i].perUnit * units;
  }

  std::span<const Candidate> candidates_;
  const Allocation& held_;
  Cores capacity_;
  Seconds horizon_;
  std::vector<Chooser> choosers_;
  double low_ = kLowest;
  double high_ = kHighest;
  Allocation chosen_;
  Cores left_;
};

}  // namespace

Allocation relocate(std::span<const Candidate> candidates, const Allocation& held, Cores capacity,
                    Seconds horizon) {
  return Relocation(candidates, held, capacity, horizon).find();
}

}  // namespace slaq
