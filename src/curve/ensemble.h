// The forecast of one job by many simple experts (curve/expert.h), each weighed by how well its earlier
// forecasts of this job came true (curve/weighing.h): one sample ahead, and at least 3 and 10 iterations
// ahead. Where losses are noisy a denoiser (curve/denoiser.h) has a say in the forecast, and experts are
// judged by the loss without the noise. A forecast does not depend on the unit of the loss, and on its zero
// only as far as that tells where the loss ends. A plain value of some 2 KB; one update with its forecast
// takes about half a microsecond, a little more where losses are noisy.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "base/prefetch.h"
#include "curve/curve.h"
#include "curve/denoiser.h"
#include "curve/loss_series.h"
#include "curve/weighing.h"

namespace slaq {

class Ensemble {
 public:
  // Takes in the pairs of the job's series that are new since the last call. `target` is a hint of the final
  // loss, below all losses of the series.
  void follow(const LossSeries& series, std::optional<double> target);

  struct Followed {
    Ensemble* ensemble = nullptr;
    const LossSeries* series = nullptr;
    std::optional<double> target = {};
  };
  // The same for several jobs, step by step together (curve/expert.h). Meanwhile loads what is needed next.
  static void follow(std::span<const Followed> jobs, PrefetchQueue& ahead);

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

  struct Step;

  static void judge(std::span<const Step> steps, PrefetchQueue& ahead);
  static void ask(std::span<const Step> steps, PrefetchQueue& ahead);
  static void forecast(std::span<const Step> steps, PrefetchQueue& ahead);
  static void followSome(std::span<const Followed> jobs, PrefetchQueue& ahead);
  void forgetBefore(std::uint32_t restarts);
  std::size_t sizeWithNext(const LossSeries& series) const;
  std::size_t recall(const Step& step, Hearing* hearings);
  void take(Step& step);
  double heard(double change, double ahead) const;
  void draw(const Means& means);
  void judgeItself(double iteration, double loss);
  const Round* roundBefore(double iteration) const;
  Round& nextRound();

  const Round& newest(std::size_t i) const { return rounds_[(newest_ + i) % kRounds]; }

  std::array<Round, kRounds> rounds_{};  // from `newest_` on ever older ones, around
  std::size_t newest_ = 0;               // that of the newest pair
  std::size_t size_ = 0;
  Errors errors_;
  Denoiser denoiser_;
  double lowest_ = 0;
  double highest_ = 0;
  Curve curve_;
  Curve promised_;        // an earlier one, to be judged
  double ownErrors_ = 0;  // discounted sum of its squared errors, in units
  double ownJudged_ = 0;
  std::uint32_t restarts_ = 0;
};

}  // namespace slaq
