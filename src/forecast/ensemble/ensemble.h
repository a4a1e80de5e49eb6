// The forecast of one job's loss by many simple experts (forecast/ensemble/expert.h). The errors of an
// expert's earlier forecasts of this job determine its weight: one sample ahead, and at least 3 and 10
// iterations ahead. Where losses are noisy, a denoiser makes part of the forecast, and the experts' errors
// are measured against the loss without the noise. A forecast does not depend on the unit of the loss. It
// depends on the zero of the loss only as far as that tells where the loss ends. A plain value of some 4 KB.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "forecast/curves/curve.h"
#include "forecast/ensemble/denoiser.h"
#include "forecast/ensemble/weighing.h"
#include "forecast/series/loss_series.h"

namespace slaq::forecast {

class Ensemble {
 public:
  // The experts outlive the ensemble.
  explicit Ensemble(const Experts& experts) : experts_(&experts) {}

  // Takes in the pairs that the job's series has gained since the last call. `target` is a hint of the final
  // loss, below all losses of the series.
  void follow(const LossSeries& series, std::optional<double> target);

  // The forecast from the newest pair on: a hyperbola, or a constant before the third pair.
  const Curve& curve() const { return curve_; }

  // The recent error of its own forecasts at least 10 iterations ahead: the root mean square, as a share of
  // the range seen. Empty before the first of them came due.
  std::optional<double> backTestError() const;

 private:
  // The forecasts that were made at one pair.
  struct PastForecast {
    double iteration = 0;
    double loss = 0;
    double unit = 0;  // the range seen until then; 0 if the experts could not forecast
    ExpertForecasts experts = {};
  };

  void takeIn(Observations seen);
  void recordErrors(double iteration);
  void recordOwnError(double iteration, double loss);
  PastForecast& addForecast(double iteration);
  void fit(std::optional<double> floor);
  double changeExpected(double change, double ahead) const;
  const PastForecast* forecastUntil(double iteration) const;
  std::size_t knownPairsOf(const LossSeries& series) const;

  static constexpr std::size_t kRemembered = 5;

  const Experts* experts_;
  std::array<PastForecast, kRemembered> forecasts_{};  // newest first
  std::size_t size_ = 0;
  ErrorRecord errors_;
  Denoiser denoiser_;
  double lowest_ = 0;
  double highest_ = 0;
  Curve curve_;
  Curve earlierCurve_;           // the curve whose error is recorded once it is due
  double ownSquaredErrors_ = 0;  // discounted sum of the squared errors, in units of the range,
  double ownErrorCount_ = 0;     // and their discounted number
  std::uint32_t restarts_ = 0;
};

}  // namespace slaq::forecast
