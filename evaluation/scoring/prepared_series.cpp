#include "scoring/prepared_series.h"

#include <algorithm>
#include <cmath>

#include "forecast/constants.h"
#include "forecast/curves/hyperbola.h"
#include "forecast/ensemble/denoiser.h"
#include "forecast/series/loss_series.h"

namespace slaq::evaluation {
namespace {

// As in forecast/ensemble/ensemble.cpp; a test compares the scores with those of the product.
constexpr std::size_t kRemembered = 5;
constexpr double kGreatest = 1e18;

constexpr double kFirstScored = 5;
constexpr double kLastScored = 100;

struct PastForecast {
  double iteration = 0;
  double loss = 0;
  double unit = 0;
  std::vector<forecast::ExpertForecast> candidates;
};

CandidateNumbers changesAfter(const std::vector<forecast::ExpertForecast>& forecasts, double ahead) {
  CandidateNumbers changes{};
  for (std::size_t i = 0; i < forecasts.size(); ++i)
    changes[i] = static_cast<float>(forecasts[i].changeAfter(ahead));
  return changes;
}

CandidateNumbers logarithmsOf(const CandidateNumbers& changes, double height) {
  CandidateNumbers logarithms{};
  for (std::size_t i = 0; i < kCandidates && height > 0; ++i)
    logarithms[i] = static_cast<float>(std::log1p(std::max(changes[i] / height, -forecast::kMostLost)));
  return logarithms;
}

class Preparation {
 public:
  Preparation(const RecordedSeries& recorded, std::size_t every) : recorded_(recorded), every_(every) {}

  PreparedSeries result() {
    PreparedSeries prepared;
    prepared.range = recorded_.range;
    for (std::size_t i = 0; i < recorded_.iterations.size(); ++i) {
      prepared.steps.push_back(step(recorded_.iterations[i], recorded_.losses[i]));
      const bool isScored =
          series_.size() >= forecast::kFewestPairs && isToBeScored(recorded_.iterations[i], i);
      if (isScored) prepared.steps.back().forecast = forecast();
    }
    return prepared;
  }

 private:
  bool isToBeScored(double iteration, std::size_t i) const {
    const double last = static_cast<double>(recorded_.truth.size()) - 1 - forecast::kNearAhead;
    return i % every_ == 0 && iteration >= kFirstScored && iteration <= std::min(kLastScored, last);
  }

  PreparedStep step(double iteration, double loss) {
    series_.add(Iterations(iteration), Loss(loss));
    denoiser_.add(iteration, loss);
    PreparedStep step;
    step.recorded = recordErrors(iteration);
    lowest_ = past_.empty() ? loss : std::min(lowest_, loss);
    highest_ = past_.empty() ? loss : std::max(highest_, loss);
    addForecast(iteration, loss);
    return step;
  }

  std::vector<RecordedError> recordErrors(double iteration) const {
    std::vector<RecordedError> errors;
    const PastForecast* last = nullptr;
    for (const double ahead : forecast::kRecordedAhead) {
      const PastForecast* due = forecastUntil(iteration - ahead);
      if (!due || !(due->unit > 0)) continue;
      if (due == last) {
        ++errors.back().times;
        continue;
      }
      last = due;
      errors.push_back({1, errorsOf(*due, iteration)});
    }
    return errors;
  }

  CandidateNumbers errorsOf(const PastForecast& due, double iteration) const {
    const double change = std::clamp((denoiser_.newest() - due.loss) / due.unit, -kGreatest, kGreatest);
    CandidateNumbers errors = changesAfter(due.candidates, iteration - due.iteration);
    for (auto& error : errors) error = static_cast<float>(std::abs(error - change));
    return errors;
  }

  const PastForecast* forecastUntil(double iteration) const {
    const auto found =
        std::ranges::find_if(past_, [&](const PastForecast& past) { return past.iteration <= iteration; });
    return found == past_.end() ? nullptr : &*found;
  }

  void addForecast(double iteration, double loss) {
    const bool replaces =
        past_.size() > 1 && past_[0].iteration - past_[1].iteration < forecast::kBetweenForecasts;
    if (!replaces) past_.insert(past_.begin(), PastForecast());
    if (past_.size() > kRemembered) past_.pop_back();
    const double range = highest_ - lowest_;
    const bool hasRange = std::isfinite(range) && std::isfinite(1 / range);
    const forecast::Observations seen = observations();
    past_[0] = PastForecast();
    past_[0].iteration = iteration;
    past_[0].loss = loss;
    if (!hasRange || series_.size() < forecast::kFewestPairs) return;
    past_[0].unit = range;
    past_[0].candidates = forecastsOfCandidates(levelsOf(seen), seen);
  }

  forecast::Observations observations() const {
    const bool isEarly = series_.size() < forecast::kFewestPairsForDistance;
    forecast::Observations seen{.iterations = series_.iterations(),
                                .losses = series_.losses(),
                                .lowest = lowest_,
                                .highest = highest_};
    seen.floorIsNear = isEarly || lowest_ < forecast::kNearZero * (highest_ - lowest_);
    if (lowest_ > 0) seen.floor = 0;
    return seen;
  }

  PreparedForecast forecast() const {
    const PastForecast& newest = past_[0];
    PreparedForecast made{.iteration = newest.iteration, .loss = newest.loss, .unit = newest.unit};
    made.truth = recorded_.truth[static_cast<std::size_t>(newest.iteration + forecast::kNearAhead)];
    if (!(newest.unit > 0)) return made;
    made.height = lowest_ > 0 ? newest.loss / newest.unit : 0;
    made.denoised = forecast::kDenoised * denoiser_.trust();
    made.far = forecast::farAhead(newest.iteration);
    const std::array<double, 3> ahead = {0, forecast::kNearAhead, made.far};
    for (std::size_t i = 0; i < ahead.size(); ++i) {
      if (made.denoised > 0) made.byDenoiser[i] = denoiser_.at(newest.iteration + ahead[i]) - newest.loss;
      made.changes[i] = changesAfter(newest.candidates, ahead[i]);
      made.logarithms[i] = logarithmsOf(made.changes[i], made.height);
    }
    for (std::size_t i = 0; i < kCandidates; ++i) made.known[i] = newest.candidates[i].isKnown ? 1 : 0;
    return made;
  }

  const RecordedSeries& recorded_;
  std::size_t every_;
  forecast::LossSeries series_;
  forecast::Denoiser denoiser_;
  double lowest_ = 0;
  double highest_ = 0;
  std::vector<PastForecast> past_;  // newest first
};

}  // namespace

PreparedSeries prepare(const RecordedSeries& series, std::size_t every) {
  return Preparation(series, every).result();
}

}  // namespace slaq::evaluation
