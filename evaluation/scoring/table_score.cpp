#include "scoring/table_score.h"

#include <algorithm>
#include <cmath>

#include "forecast/constants.h"
#include "forecast/curves/hyperbola.h"

namespace slaq::evaluation {
namespace {

// As in forecast/ensemble/weighing.cpp; a test compares the scores with the product's errors.
constexpr float kDiscount = forecast::kErrorDiscount;
constexpr float kLeastError = forecast::kLeastError;
constexpr float kLogarithmicShare = forecast::kLogarithmicShare;
constexpr double kLeastHeight = 1e-12;
constexpr double kMostHeight = 1e18;

// Everything below is computed for each added candidate at once, by simple loops over all of them.
template <class Of>
CandidateNumbers forEachAdded(Of of) {
  CandidateNumbers numbers;
  for (std::size_t added = 0; added < kCandidates; ++added) numbers[added] = of(added);
  return numbers;
}

class Tables {
 public:
  explicit Tables(std::span<const std::size_t> table) : table_(table), sums_(table.size() + 1) {}

  void fade() {
    for (auto& sums : sums_) sums = forEachAdded([&](std::size_t i) { return kDiscount * sums[i]; });
    count_ *= kDiscount;
  }

  // As ErrorRecord::add: errors by the mean error of the table.
  void add(const RecordedError& recorded) {
    float total = 0;
    for (const auto expert : table_) total += recorded.errors[expert];
    const float size = static_cast<float>(sums_.size());
    const CandidateNumbers perMean = forEachAdded([&](std::size_t i) {
      const float mean = (total + recorded.errors[i]) / size;
      return mean > 0 ? 1 / mean : 0.0f;
    });
    const auto addTo = [&](CandidateNumbers& sums, auto errorOf) {
      sums = forEachAdded([&](std::size_t i) {
        const float relative = perMean[i] > 0 ? errorOf(i) * perMean[i] : 1.0f;
        return sums[i] + recorded.times * relative;
      });
    };
    for (std::size_t place = 0; place < table_.size(); ++place) {
      const float error = recorded.errors[table_[place]];
      addTo(sums_[place], [&](std::size_t) { return error; });
    }
    addTo(sums_.back(), [&](std::size_t i) { return recorded.errors[i]; });
    count_ += recorded.times;
  }

  // The losses forecast 10 iterations ahead.
  std::array<double, kCandidates> forecastsOf(const PreparedForecast& made) {
    std::array<double, kCandidates> forecasts;
    forecasts.fill(made.loss);
    if (!(made.unit > 0)) return forecasts;
    weigh(made);
    const std::array<CandidateNumbers, 3> changes = {changesOf(made, 0), changesOf(made, 1),
                                                     changesOf(made, 2)};
    for (std::size_t i = 0; i < kCandidates; ++i) {
      const auto change = [&](std::size_t when) {
        const double byExperts = changes[when][i] * made.unit;
        return byExperts + made.denoised * (made.byDenoiser[when] - byExperts);
      };
      const double lift = change(0);
      const forecast::Curve curve =
          forecast::hyperbolaThrough(made.iteration, made.loss + lift,
                                     {forecast::kNearAhead, lift - change(1)}, {made.far, lift - change(2)});
      forecasts[i] = curve.at(made.iteration + forecast::kNearAhead);
    }
    return forecasts;
  }

 private:
  // As WeightedForecast: by the minus fourth power of the experts' errors.
  void weigh(const PreparedForecast& made) {
    weights_.resize(sums_.size());
    CandidateNumbers total{}, usingKnownFloor{};
    const float perCount = count_ > 0 ? 1 / count_ : 0;
    const float least = count_ > 0 ? kLeastError : 1 + kLeastError;
    for (std::size_t place = 0; place < sums_.size(); ++place) {
      weights_[place] = forEachAdded([&](std::size_t i) {
        const float error = sums_[place][i] * perCount + least;
        const float square = error * error;
        return 1 / (square * square);
      });
      for (std::size_t i = 0; i < kCandidates; ++i) {
        const std::size_t expert = place < table_.size() ? table_[place] : i;
        weights_[place][i] *= made.known[expert];
        total[i] += weights_[place][i];
        usingKnownFloor[i] += candidates()[expert].usesKnownFloor() ? weights_[place][i] : 0;
      }
    }
    for (auto& weights : weights_)
      weights = forEachAdded([&](std::size_t i) { return weights[i] / total[i]; });
    const bool hasFloor = made.height > kLeastHeight && made.height < kMostHeight;
    logarithmic_ = forEachAdded([&](std::size_t i) {
      return hasFloor ? std::min(1.0f, kLogarithmicShare * usingKnownFloor[i] / total[i]) : 0.0f;
    });
  }

  CandidateNumbers weighted(const CandidateNumbers& numbers) const {
    CandidateNumbers sums{};
    for (std::size_t place = 0; place < table_.size(); ++place) {
      const float number = numbers[table_[place]];
      sums = forEachAdded([&](std::size_t i) { return sums[i] + weights_[place][i] * number; });
    }
    return forEachAdded([&](std::size_t i) { return sums[i] + weights_.back()[i] * numbers[i]; });
  }

  CandidateNumbers changesOf(const PreparedForecast& made, std::size_t when) const {
    const CandidateNumbers means = weighted(made.changes[when]);
    if (!(made.height > kLeastHeight && made.height < kMostHeight)) return means;
    const CandidateNumbers logarithms = weighted(made.logarithms[when]);
    const float height = static_cast<float>(made.height);
    return forEachAdded([&](std::size_t i) {
      const float share = logarithmic_[i];
      return share > 0 ? (1 - share) * means[i] + share * height * std::expm1(logarithms[i]) : means[i];
    });
  }

  std::span<const std::size_t> table_;
  std::vector<CandidateNumbers> sums_;  // by place in the table, and of the added one
  float count_ = 0;
  std::vector<CandidateNumbers> weights_;
  CandidateNumbers logarithmic_{};
};

}  // namespace

TableScores scoresWithEachAdded(std::span<const std::size_t> table, const PreparedSeries& series) {
  Tables tables(table);
  TableScores scores;
  float count = 0, nonzero = 0;
  for (const auto& step : series.steps) {
    tables.fade();
    for (const auto& recorded : step.recorded) tables.add(recorded);
    if (!step.forecast) continue;
    const auto forecasts = tables.forecastsOf(*step.forecast);
    const double loss = std::abs(step.forecast->truth);
    ++count;
    if (loss > 0) ++nonzero;
    for (std::size_t i = 0; i < kCandidates; ++i) {
      const double error = std::abs(forecasts[i] - step.forecast->truth);
      scores.ofRange[i] += static_cast<float>(error / series.range);
      if (loss > 0) scores.ofLoss[i] += static_cast<float>(error / loss);
    }
  }
  for (auto& score : scores.ofRange) score /= std::max(count, 1.0f);
  for (auto& score : scores.ofLoss) score /= std::max(nonzero, 1.0f);
  return scores;
}

}  // namespace slaq::evaluation
