// How the experts' forecasts are combined: each is weighed by how far off its earlier forecasts were.
#pragma once

#include <array>

#include "forecast/ensemble/expert_forecasts.h"

namespace slaq::forecast {

// One number for each expert.
using ExpertNumbers = std::array<double, kExperts>;

// The experts' errors so far, each divided by the mean error of all experts at the time; older ones fade.
class ErrorRecord {
 public:
  // What was recorded so far counts less from now on.
  void fade();

  // What was forecast for `ahead` iterations later, and how much the loss did change, in units of the range.
  void add(const ExpertForecasts& forecasts, double ahead, double change);

  // Each expert's mean relative error: 1 is that of the mean expert, and of all before any was recorded.
  ExpertNumbers means() const;

 private:
  ExpertNumbers sums_{};
  double count_ = 0;
};

// The weighted mean of what the experts expect. As far as those that use the known floor were right, it is
// taken over the logarithms of what is above that floor: a loss that falls by orders of magnitude is not
// forecast by its slowest expert.
class WeightedForecast {
 public:
  // `height` is how far the newest loss is above the known floor, in units of the range; 0 without one.
  WeightedForecast(const Experts& experts, const ExpertForecasts& forecasts, const ErrorRecord& errors,
                   double height);

  // Of the change of the loss from the newest one on, in units of the range, > 0 iterations later;
  double changeAfter(double iterations) const;
  // and at once, from the newest loss to the curve.
  double lift() const;

 private:
  double meanOf(const ExpertNumbers& changes) const;

  const ExpertForecasts& forecasts_;
  ExpertNumbers weights_{};  // their sum is 1
  double height_;
  double logarithmic_ = 0;  // the share of the logarithmic mean
};

}  // namespace slaq::forecast
