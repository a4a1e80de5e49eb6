#include "cli/predict/predict_walk.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

#include "base/clock.h"
#include "forecast/predictors/registry.h"
#include "scheduler/state/history.h"

namespace slaq::cli::predict {
namespace {

// The mean of the added numbers.
class Mean {
 public:
  void add(std::optional<double> value) {
    if (!value) return;
    sum_ += *value;
    ++count_;
  }
  std::optional<double> value() const {
    return count_ > 0 ? std::optional(sum_ / static_cast<double>(count_)) : std::nullopt;
  }

 private:
  double sum_ = 0;
  std::size_t count_ = 0;
};

struct HorizonMean {
  Mean ofLoss;
  Mean ofRange;
};

std::vector<HorizonError> errorsOf(const std::vector<std::size_t>& horizons,
                                   const std::vector<HorizonMean>& means) {
  std::vector<HorizonError> errors;
  for (std::size_t i = 0; i < horizons.size(); ++i) {
    errors.push_back({horizons[i], means[i].ofLoss.value(), means[i].ofRange.value()});
  }
  return errors;
}

std::optional<double> share(double part, double whole) {
  return whole > 0 ? std::optional(part / whole) : std::nullopt;
}

class Walker {
 public:
  Walker(const simulate::Trace& trace, const Walk& walk)
      : losses_(oriented(walk.mode, trace).losses),
        walk_(walk),
        random_(walk.seed),
        predictor_(makePredictor(walk.predictor, walk.constants)),
        means_(walk.horizons.size()) {
    for (const std::size_t each : walk.horizons) curves_.push_back({.horizon = each});
    wishes_.loss.convergence = walk.convergence;
    range_ = losses_.front() - std::ranges::min(losses_);
  }

  WalkResult result(const std::string& file) {
    std::size_t forecasts = 0;
    for (std::size_t k = 0; k <= kLastForecast && k + walk_.horizons.back() < losses_.size(); k += gap()) {
      see(k);
      if (k < kFirstForecast || !ownModel(history_)) continue;
      compare(k);
      ++forecasts;
    }
    WalkResult result{file, forecasts, errorsOf(walk_.horizons, means_),
                      walk_.timed ? fit_.value() : std::nullopt};
    result.losses.assign(losses_.begin(),
                         losses_.begin() + std::min(losses_.size(), lastForecastIteration() + 1));
    result.losses = recorded(std::move(result.losses));
    result.range = range_;
    for (auto& each : curves_) {
      each.losses = recorded(std::move(each.losses));
      result.curves.push_back(std::move(each));
    }
    return result;
  }

 private:
  std::size_t lastForecastIteration() const { return kLastForecast + walk_.horizons.back(); }
  // Losses in the units of the trace.
  std::vector<double> recorded(std::vector<double> losses) const {
    return simulate::oriented(walk_.mode, simulate::Trace{std::move(losses)}).losses;
  }

  std::size_t gap() {
    return std::uniform_int_distribution<std::size_t>(walk_.gaps.least, walk_.gaps.most)(random_);
  }

  void see(std::size_t k) {
    const double factor = walk_.noise > 0 ? 1 + walk_.noise * noise_(random_) : 1;
    const double iteration = static_cast<double>(k);
    const SystemClock clock;
    const Seconds begun = clock.monotonic();
    // One iteration a second; the first time must differ from the time that means "no sample".
    learn(history_, Time(Seconds(iteration + 1)), Iterations(iteration), Loss(losses_[k] * factor), {});
    refit(history_, wishes_, *predictor_);
    if (k >= kFirstForecast) fit_.add((clock.monotonic() - begun).count() * 1e6);
  }

  void compare(std::size_t k) {
    for (std::size_t i = 0; i < means_.size(); ++i) {
      const double truth = losses_[k + walk_.horizons[i]];
      const double forecast = history_.losses.model->curve.at(static_cast<double>(k + walk_.horizons[i]));
      const double error = std::abs(forecast - truth);
      means_[i].ofLoss.add(share(error, std::abs(truth)));
      means_[i].ofRange.add(share(error, range_));
      curves_[i].iterations.push_back(k + walk_.horizons[i]);
      curves_[i].losses.push_back(forecast);
    }
  }

  const std::vector<double> losses_;
  const Walk& walk_;
  std::mt19937_64 random_;
  std::normal_distribution<double> noise_;
  double range_ = 0;
  scheduler::Wishes wishes_;
  std::unique_ptr<forecast::Predictor> predictor_;
  scheduler::JobHistory history_;
  std::vector<HorizonMean> means_;
  std::vector<HorizonCurve> curves_;
  Mean fit_;
};

}  // namespace

WalkResult walkAlong(const std::string& file, const simulate::Trace& trace, const Walk& walk) {
  return Walker(trace, walk).result(file);
}

WalkResult meanOf(const std::vector<WalkResult>& results) {
  WalkResult mean{.file = "overall"};
  std::vector<std::size_t> horizons;
  std::vector<HorizonMean> means;
  Mean fit;
  for (const auto& each : results) {
    mean.forecasts += each.forecasts;
    fit.add(each.microsecondsPerFit);
    means.resize(each.errors.size());
    horizons.resize(each.errors.size());
    for (std::size_t i = 0; i < means.size(); ++i) {
      horizons[i] = each.errors[i].horizon;
      means[i].ofLoss.add(each.errors[i].ofLoss);
      means[i].ofRange.add(each.errors[i].ofRange);
    }
  }
  mean.errors = errorsOf(horizons, means);
  mean.microsecondsPerFit = fit.value();
  return mean;
}

}  // namespace slaq::cli::predict
