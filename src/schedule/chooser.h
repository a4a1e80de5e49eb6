// One job before the choice of relocation: to keep what it has over the horizon, or to change and lose the
// pause.
#pragma once

#include "schedule/prospect.h"

namespace slaq {

// The lower the price the more units are best on either side of what it has, so that each price tried narrows
// what is left to look at. One thread uses it.
class Chooser {
 public:
  // Forecasts are not so good that a smaller gain were one: a share of what the job gains if it stays.
  static constexpr double kMargin = 0.02;

  // `held` units; below the candidate's minimum it does not run, and its start loses nothing. REQUIRES: the
  // candidate outlives it.
  Chooser(const Candidate& candidate, std::int32_t held, Seconds horizon);

  bool runs() const { return held_ >= candidate_->min; }
  // What it has, within its bounds.
  std::int32_t kept() const { return std::clamp(held_, candidate_->min, candidate_->max); }

  // What it gains with so many units from now on, on the mean of the horizon: sooner is better.
  double gain(std::int32_t units) const;

  // A change in place loses nothing, but so small a one is not worth the trouble.
  bool isTooSmall(std::int32_t units) const;

  // The best number of units at the price of a core-second. REQUIRES: the price is between those that
  // `narrow` was told of.
  std::int32_t choose(double price);
  // The price that was tried last is too low, or high enough.
  void narrow(bool isEnough);

 private:
  struct Range {
    std::int32_t from = 0;
    std::int32_t to = 0;
  };
  // The best is within the range; `units` was the best at the price tried last, and gains that.
  struct Side {
    Range range;
    std::int32_t units = 0;
    double gain = 0;
    bool isKnown = false;

    bool isEmpty() const { return range.from > range.to; }
  };

  double costOf(std::int32_t units, double price) const;
  bool isMoreWorth(std::int32_t units, double price) const;
  void look(Side& side, double price) const;
  Range near(const Side& side, double price) const;
  Range upFrom(std::int32_t units, std::int32_t last, double price) const;
  Range downFrom(std::int32_t units, std::int32_t first, double price) const;

  const Candidate* candidate_;
  std::int32_t held_;
  double horizon_;
  Prospect prospect_;
  double ofKept_;
  Side more_;
  Side fewer_;
};

}  // namespace slaq
