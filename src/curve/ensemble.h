// The forecast of one job by many simple experts (curve/expert.h), each weighed by how well its earlier
// forecasts of this job came true: one sample ahead, and at least 3 and 10 iterations ahead. The forecast is
// the experts' weighted mean; as far as those that know the floor were right, the mean of the logarithms of
// what is above it, since a loss that falls by orders of magnitude is not forecast by its slowest expert.
// Where losses are noisy a denoiser (curve/denoiser.h) has a say in the forecast, and experts are judged by
// the loss without the noise. A forecast does not depend on the unit of the loss, and hardly on its zero. A
// plain value of some 2 KB; one update with its forecast takes about a microsecond.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "curve/curve.h"
#include "curve/denoiser.h"
#include "curve/expert.h"
#include "curve/loss_series.h"

namespace slaq {

class Ensemble {
 public:
  // Takes in the pairs of the job's series that are new since the last call. `target` is a hint of the final
  // loss, below all losses of the series.
  void follow(const LossSeries& series, std::optional<double> target);

  // From the newest pair on: a hyperbola. A constant before the third.
  const Curve& curve() const { return curve_; }

  // How far its own forecasts at least 10 iterations ahead were off, of late: the root of the mean square, as
  // a share of the range seen. Empty before the first came due.
  std::optional<double> backTestError() const;

 private:
  // What was expected at one pair.
  struct Round {
    double iteration = 0;
    double loss = 0;
    double unit = 0;  // the range seen until then; 0 where nobody was asked: of a loss that had not changed
    Opinions opinions = {};
  };
  static constexpr std::size_t kRounds = 5;

  void take(std::span<const double> iterations, std::span<const double> losses, std::optional<double> target);
  void judge(double iteration, double loss);
  void judge(const Round& round, double iteration, double loss);
  void judgeItself(double iteration, double loss);
  const Round* roundBefore(double iteration) const;
  Round& nextRound();
  Curve forecast(const Round& round, std::optional<double> floor) const;

  const Round& newest(std::size_t i) const { return rounds_[(newest_ + i) % kRounds]; }

  std::array<Round, kRounds> rounds_{};  // from `newest_` on ever older ones, around
  std::size_t newest_ = 0;               // that of the newest pair
  std::size_t size_ = 0;
  Numbers errors_{};  // discounted sums of each expert's error by the mean of all
  float judged_ = 0;  // the discounted number of what was summed
  double lowest_ = 0;
  double highest_ = 0;
  Denoiser denoiser_;
  Curve curve_;
  Curve promised_;        // an earlier one, to be judged
  double ownErrors_ = 0;  // discounted sum of its squared errors, in units
  double ownJudged_ = 0;
  std::uint32_t restarts_ = 0;
};

}  // namespace slaq
