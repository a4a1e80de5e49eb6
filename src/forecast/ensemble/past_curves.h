// The losses of earlier trainings of one kind, each curve as it was, and the forecast that they give for
// another training of the kind. The forecast is the mean of the curves. Each counts by how well it foretold
// what the training did so far, so that curves of unlike trainings count nothing.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "forecast/curves/convergence_model.h"
#include "forecast/series/loss_series.h"

namespace slaq::forecast {

// The forecast of past curves for a training, from its newest loss on.
struct PastForecast {
  // How much lower the loss is after a number of iterations more; never falling, from 0 iterations on.
  struct Fall {
    double ahead = 0;  // iterations
    double reduction = 0;
  };
  std::vector<Fall> falls;  // not empty, up to aheadToFinal()
  // The weight of all curves. A curve of a whole training counts 1 if it misses as much as the training's own
  // forecast does.
  double weight = 0;
};

// A plain value of up to 30 KB; one thread owns it.
class PastCurves {
 public:
  // Records how far a training has come, in place of what was recorded of it before. A curve too many
  // displaces the one whose training has come least far, among equals the oldest. REQUIRES: a series with two
  // pairs at least. Without a UID it is a training of its own.
  void record(std::string_view uid, const LossSeries& series, const ConvergenceModel& model);

  // The forecast for the training with that UID, whose own curve does not count. `ownError` is the error of
  // the training's own forecast, as a share of the range seen. Without any pair yet, the loss goes from 1
  // down to 0. Empty if no curve counts.
  std::optional<PastForecast> forecast(std::string_view uid, const LossSeries& series, double ownError) const;

 private:
  struct Losses {
    std::vector<double> iterations;
    std::vector<double> losses;  // never rising

    std::size_t size() const { return losses.size(); }
  };

  struct Past {
    std::string uid;
    Losses losses;
    Curve beyond;      // the training's forecast of the losses that it had not reached
    double range = 0;  // from the first loss to the forecast final one; > 0
    double done = 0;   // the part of the range that it had fallen, 0..1

    double fallUntil(double iteration) const;
  };
  // A past curve, for one training.
  struct Guide {
    const Past* past;
    double scale;  // the training's falls, as multiples of the past ones
    double weight;
    double fallen = 0;  // of the past curve until the training's newest iteration
  };

  static Losses neverRising(const LossSeries& series);
  static double scaleFor(const Past& past, const Losses& own);
  static double errorOf(const Past& past, double scale, const Losses& own);
  static Guide guideFor(const Past& past, const Losses& own, double ownError);

  static constexpr std::size_t kMost = 16;
  std::vector<Past> pasts_;  // the one that was recorded last at the end
};

}  // namespace slaq::forecast
