// Combines the experts' forecasts. The errors of an expert's earlier forecasts determine its weight.
#pragma once

#include <array>

#include "forecast/ensemble/expert_forecasts.h"

namespace slaq::forecast {

// One number for each expert.
using ExpertNumbers = std::array<double, kExperts>;

// The experts' errors so far, each divided by the mean error of all experts at the time. Older errors fade.
class ErrorRecord {
 public:
  // Makes the errors recorded so far count less from now on.
  void fade();

  // Records the errors of `forecasts`, made `ahead` iterations ago. Since then the loss changed by `change`,
  // in units of the range.
  void add(const ExpertForecasts& forecasts, double ahead, double change);

  // Each expert's mean relative error. 1 is that of the mean expert, and of all experts before any was
  // recorded.
  ExpertNumbers means() const;

 private:
  ExpertNumbers sums_{};
  double count_ = 0;
};

// The weighted mean of the experts' expectations. As far as the experts that use the known floor were right,
// the mean is taken over the logarithms of the height above that floor. So a loss that falls by orders of
// magnitude is not forecast by its slowest expert.
class WeightedForecast {
 public:
  // `height` is how far the newest loss is above the known floor, in units of the range; 0 without one.
  WeightedForecast(const Experts& experts, const ExpertForecasts& forecasts, const ErrorRecord& errors,
                   double height);

  // The mean expected change from the newest loss to the loss `iterations` (> 0) later, in units of the
  // range.
  double changeAfter(double iterations) const;
  // The mean change at once, from the newest loss to the curve.
  double lift() const;

 private:
  double meanOf(const ExpertNumbers& changes) const;

  const ExpertForecasts& forecasts_;
  ExpertNumbers weights_{};  // their sum is 1
  double height_;
  double logarithmic_ = 0;  // the share of the logarithmic mean
};

}  // namespace slaq::forecast
