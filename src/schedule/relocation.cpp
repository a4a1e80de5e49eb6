#include "schedule/relocation.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "schedule/prospect.h"

namespace slaq {
namespace {

// Forecasts are not so good that a smaller gain were one: a share of what the job gains if it stays.
constexpr double kMargin = 0.02;

// A change in place loses nothing, but a small one is not worth the trouble.
constexpr double kSmall = 0.1;

// Logarithms of prices, and how many times their range is halved.
constexpr double kLowest = -40;
constexpr double kHighest = 10;
constexpr int kHalvings = 40;

// The horizon is looked at so many times.
constexpr int kLooks = 3;

// One job before the choice.
class Chooser {
 public:
  Chooser(const Candidate& candidate, std::int32_t held, Seconds horizon)
      : candidate_(candidate),
        held_(held),
        horizon_(horizon.count()),
        prospect_(candidate, inCores(candidate.cores(candidate.max)) * horizon.count()) {}

  bool runs() const { return held_ >= candidate_.min; }
  std::int32_t kept() const { return std::clamp(held_, candidate_.min, candidate_.max); }

  // What it gains with so many units from now on, on the mean of the horizon: sooner is better.
  double gain(std::int32_t units) const {
    const bool grows = runs() && units > held_;
    const bool changes = runs() && units != held_;
    const double pause = !changes ? 0 : grows ? candidate_.growPause : candidate_.shrinkPause;
    const double meanwhile = grows && candidate_.worksOn ? inCores(candidate_.cores(held_)) : 0;
    const double after = inCores(candidate_.cores(units));
    double sum = 0;
    for (int look = 1; look <= kLooks; ++look) {
      const double time = horizon_ * look / kLooks;
      const double still = std::min(time, pause);
      sum += prospect_.worth(after * (time - still) + meanwhile * still);
    }
    return sum / kLooks;
  }

  // The best number of units at the price of a core-second.
  std::int32_t choose(double price) const {
    if (!runs()) return best(candidate_.min, candidate_.max, price);
    const std::int32_t kept = this->kept();
    std::int32_t chosen = kept;
    double most = profit(kept, price) + kMargin * gain(kept);
    const auto consider = [&](std::int32_t from, std::int32_t to) {
      if (from > to) return;
      const std::int32_t units = best(from, to, price);
      if (isTooSmall(units) || !(profit(units, price) > most)) return;
      most = profit(units, price);
      chosen = units;
    };
    consider(kept + 1, candidate_.max);
    consider(candidate_.min, kept - 1);
    return chosen;
  }

 private:
  double profit(std::int32_t units, double price) const {
    return gain(units) - price * inCores(candidate_.cores(units)) * horizon_;
  }

  // Within bounds on one side of what is held the profit rises and then falls.
  std::int32_t best(std::int32_t from, std::int32_t to, double price) const {
    const double cost = price * inCores(candidate_.perUnit) * horizon_;
    while (from < to) {
      const std::int32_t middle = from + (to - from) / 2;
      if (gain(middle + 1) - gain(middle) > cost) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from;
  }

  bool isTooSmall(std::int32_t units) const {
    return candidate_.inPlace && std::abs(inCores(candidate_.perUnit * (units - held_))) <
                                     kSmall * inCores(candidate_.cores(held_));
  }

  const Candidate& candidate_;
  std::int32_t held_;
  double horizon_;
  Prospect prospect_;
};

class Relocation {
 public:
  Relocation(std::span<const Candidate> candidates, const Allocation& held, Cores capacity, Seconds horizon)
      : candidates_(candidates), capacity_(capacity) {
    choosers_.reserve(candidates.size());
    for (std::size_t i = 0; i < candidates.size(); ++i)
      choosers_.emplace_back(candidates[i], held[i], horizon);
  }

  Allocation find() {
    double low = kLowest;
    double high = kHighest;
    Allocation chosen = at(high);
    for (int i = 0; i < kHalvings; ++i) {
      const double middle = 0.5 * (low + high);
      Allocation tried = at(middle);
      const bool fits = coresOf(candidates_, tried) <= capacity_;
      (fits ? high : low) = middle;
      if (fits) chosen = std::move(tried);
    }
    left_ = capacity_ - coresOf(candidates_, chosen);
    if (left_ < Cores()) return minimums();
    growAtLower(std::exp(low), chosen);
    giveRest(chosen);
    return chosen;
  }

 private:
  Allocation at(double logPrice) const {
    const double price = std::exp(logPrice);
    Allocation chosen;
    chosen.reserve(choosers_.size());
    for (const auto& each : choosers_) chosen.push_back(each.choose(price));
    return chosen;
  }

  Allocation minimums() const {
    Allocation least;
    for (const auto& each : candidates_) least.push_back(each.min);
    return least;
  }

  // What all would do at the price where it no longer fits, as far as it does.
  void growAtLower(double price, Allocation& chosen) {
    for (std::size_t i = 0; i < choosers_.size(); ++i) {
      const std::int32_t more = fitting(i, choosers_[i].choose(price) - chosen[i]);
      if (more <= 0) continue;
      const bool pays = choosers_[i].gain(chosen[i] + more) > (1 + kMargin) * choosers_[i].gain(chosen[i]);
      if (pays) give(i, more, chosen);
    }
  }

  // First to those that change anyway, by what they gain.
  void giveRest(Allocation& chosen) {
    std::vector<std::pair<double, std::size_t>> order;
    for (std::size_t i = 0; i < choosers_.size(); ++i) {
      const Chooser& each = choosers_[i];
      const bool shrinks = each.runs() && chosen[i] < each.kept();
      const bool grows = !each.runs() || chosen[i] > each.kept();
      if (!shrinks && !grows) continue;
      const std::int32_t to = std::min(candidates_[i].max, shrinks ? each.kept() : chosen[i] + 1);
      order.emplace_back(-(each.gain(to) - each.gain(chosen[i])) / inCores(candidates_[i].perUnit), i);
    }
    std::ranges::sort(order);
    for (const auto& [gain, i] : order) {
      const Chooser& each = choosers_[i];
      const bool shrinks = each.runs() && chosen[i] < each.kept();
      const std::int32_t most = shrinks ? each.kept() : candidates_[i].max;
      give(i, fitting(i, most - chosen[i]), chosen);
    }
  }

  std::int32_t fitting(std::size_t i, std::int32_t wanted) const {
    const auto fit = left_.value() / candidates_[i].perUnit.value();
    return static_cast<std::int32_t>(std::clamp<std::int64_t>(fit, 0, std::max(0, wanted)));
  }

  void give(std::size_t i, std::int32_t units, Allocation& chosen) {
    chosen[i] += units;
    left_ -= candidates_[i].perUnit * units;
  }

  std::span<const Candidate> candidates_;
  Cores capacity_;
  Cores left_;
  std::vector<Chooser> choosers_;
};

}  // namespace

Allocation relocate(std::span<const Candidate> candidates, const Allocation& held, Cores capacity,
                    Seconds horizon) {
  return Relocation(candidates, held, capacity, horizon).find();
}

}  // namespace slaq
