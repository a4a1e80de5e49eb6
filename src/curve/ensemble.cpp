#include "curve/ensemble.h"

#include <algorithm>
#include <cmath>

#include "curve/hyperbola.h"

namespace slaq {
namespace {

// Forecasts are judged so many iterations after they were made, or by the next pair.
constexpr double kJudgedAhead[] = {0, 3, 10};
// Of which those are remembered that are at least so many iterations apart.
constexpr double kBetweenRounds = 2.5;

constexpr float kDiscount = 0.9f;  // of what was judged, with each pair
constexpr float kWorstError = 10;  // times the mean of all experts: more says nothing more
constexpr float kLeastError = 1e-3f;
constexpr double kGreatestTruth = 1e18;  // beyond it floats might overflow

float total(const Numbers& numbers) {
  Lanes lanes = {};
  for (const auto& four : numbers.of) lanes += four;
  return sum(lanes);
}

// So many times the weight of the experts that know the floor is the share of the logarithmic mean,
constexpr float kKnowing = 2;
// in which an expert is heard as if it expected so much of the height to go at most.
constexpr float kDeepest = 0.9f;
constexpr double kLeastHeight = 1e-12;  // in units: nothing of note is left below it

// An expert's weight is its error to the minus fourth.
Lanes weightOf(Lanes error) {
  const Lanes square = error * error;
  return 1.0f / (square * square);
}

float weighted(const Numbers& weights, const Lanes (&numbers)[kQuartets]) {
  Lanes lanes = {};
  for (std::size_t i = 0; i < kQuartets; ++i) lanes += weights.of[i] * numbers[i];
  return sum(lanes);
}

// The means of what the experts say, by their weights, which add up to 1.
class Mixture {
 public:
  // `height` is how far the newest loss is above the known floor, in units; 0 without one.
  Mixture(const Numbers& weights, double height)
      : weights_(weights),
        height_(static_cast<float>(height)),
        logarithmic_(
            height > kLeastHeight ? std::min(1.0f, kKnowing * weighted(weights, knowingTheFloor().of)) : 0) {}

  float mean(const Lanes (&changes)[kQuartets]) const {
    const float plain = weighted(weights_, changes);
    if (!(logarithmic_ > 0)) return plain;
    Lanes logarithms = {};
    for (std::size_t i = 0; i < kQuartets; ++i) {
      logarithms += weights_.of[i] * logOnePlus(most(changes[i] / height_, Lanes{} - kDeepest));
    }
    return plain + logarithmic_ * (height_ * std::expm1(sum(logarithms)) - plain);
  }

 private:
  Numbers weights_;
  float height_;
  float logarithmic_;  // the share of the logarithmic mean
};

}  // namespace

void Ensemble::follow(const LossSeries& series, std::optional<double> target) {
  if (series.restarts() != restarts_) {
    *this = Ensemble();
    restarts_ = series.restarts();
  }
  const auto iterations = series.iterations();
  const auto begin =
      size_ == 0 ? iterations.begin() : std::ranges::upper_bound(iterations, newest(0).iteration);
  for (auto next = begin; next != iterations.end(); ++next) {
    const auto count = static_cast<std::size_t>(next - iterations.begin()) + 1;
    take(iterations.first(count), series.losses().first(count), target);
  }
}

void Ensemble::take(std::span<const double> iterations, std::span<const double> losses,
                    std::optional<double> target) {
  const double loss = losses.back();
  if (size_ > 0) {
    judge(iterations.back(), loss);
    judgeItself(iterations.back(), loss);
  }
  lowest_ = size_ > 0 ? std::min(lowest_, loss) : loss;
  highest_ = size_ > 0 ? std::max(highest_, loss) : loss;
  Round& round = nextRound();
  round.iteration = iterations.back();
  round.loss = loss;
  const double range = highest_ - lowest_;
  const bool canAsk = iterations.size() >= 3 && std::isfinite(range) && std::isfinite(1 / range);
  round.unit = canAsk ? range : 0;
  if (!target && lowest_ > 0) target = 0;
  if (canAsk) round.opinions = askExperts({iterations, losses, lowest_, highest_, target});
  curve_ = forecast(round, target);
  if (size_ == 1) promised_ = curve_;
}

void Ensemble::judge(double iteration, double loss) {
  for (auto& errors : errors_.of) errors *= kDiscount;
  judged_ *= kDiscount;
  for (const double ahead : kJudgedAhead) {
    if (const Round* round = roundBefore(iteration - ahead)) judge(*round, iteration, loss);
  }
}

void Ensemble::judge(const Round& round, double iteration, double loss) {
  if (!(round.unit > 0)) return;
  const double truth = std::clamp((loss - round.loss) / round.unit, -kGreatestTruth, kGreatestTruth);
  Numbers errors = changesExpected(round.opinions, static_cast<float>(iteration - round.iteration));
  for (std::size_t i = 0; i < kQuartets; ++i)
    errors.of[i] = magnitude(errors.of[i] - static_cast<float>(truth));
  const float mean = total(errors) / kExperts;
  for (std::size_t i = 0; i < kQuartets; ++i)
    errors_.of[i] += mean > 0 ? least(errors.of[i] / mean, Lanes{} + kWorstError) : Lanes{} + 1.0f;
  judged_ += 1;
}

void Ensemble::judgeItself(double iteration, double loss) {
  if (iteration - promised_.origin < kNearAhead) return;
  const double range = std::max(highest_, loss) - std::min(lowest_, loss);
  if (promised_.family != CurveFamily::Constant && range > 0) {
    const double error = (promised_.at(iteration) - loss) / range;
    ownErrors_ = kDiscount * ownErrors_ + error * error;
    ownJudged_ = kDiscount * ownJudged_ + 1;
  }
  promised_ = curve_;
}

std::optional<double> Ensemble::backTestError() const {
  if (!(ownJudged_ > 0)) return std::nullopt;
  return std::sqrt(ownErrors_ / ownJudged_);
}

// The newest round that was made at `iteration` at the latest.
const Ensemble::Round* Ensemble::roundBefore(double iteration) const {
  for (std::size_t i = 0; i < size_; ++i) {
    if (newest(i).iteration <= iteration) return &newest(i);
  }
  return nullptr;
}

// The newest takes the place of the one before it, if that one is too close to the third.
Ensemble::Round& Ensemble::nextRound() {
  const bool replaces = size_ > 1 && newest(0).iteration - newest(1).iteration < kBetweenRounds;
  if (!replaces) {
    size_ = std::min(size_ + 1, kRounds);
    newest_ = (newest_ + kRounds - 1) % kRounds;
  }
  return rounds_[newest_];
}

Numbers Ensemble::weights(const Opinions& opinions) const {
  Numbers weights;
  for (std::size_t i = 0; i < kQuartets; ++i) {
    const Lanes errors = judged_ > 0 ? errors_.of[i] / judged_ : Lanes{} + 1.0f;
    weights.of[i] = opinions.reach[i] > 0.0f ? weightOf(errors + kLeastError) : Lanes{};
  }
  const float all = total(weights);
  for (auto& four : weights.of) four /= all;
  return weights;
}

Curve Ensemble::forecast(const Round& round, std::optional<double> floor) const {
  if (!(round.unit > 0)) return Curve{.floor = round.loss, .origin = round.iteration};
  const Mixture mixture(weights(round.opinions), floor ? (round.loss - *floor) / round.unit : 0);
  const auto changeIn = [&](double ahead) {
    return mixture.mean(changesExpected(round.opinions, static_cast<float>(ahead)).of) * round.unit;
  };
  const double lift = mixture.mean(round.opinions.lift) * round.unit;
  const double far = farAhead(round.iteration);
  return hyperbolaThrough(round.iteration, round.loss + lift, {kNearAhead, lift - changeIn(kNearAhead)},
                          {far, lift - changeIn(far)});
}

}  // namespace slaq
