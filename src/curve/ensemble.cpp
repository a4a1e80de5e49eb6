#include "curve/ensemble.h"

#include <algorithm>
#include <cmath>

#include "curve/hyperbola.h"
#include "curve/lanes.h"

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

// work(i) for the first seat of each group of lanes.
template <class Work>
[[gnu::always_inline]] inline void fromSeats(Work work) {
  forEachGroup<kSeats>([&](auto group) SLAQ_INLINE { work(group * kLanes); });
}

// The sum of number(i) over all groups.
template <class Number>
[[gnu::always_inline]] inline float total(Number number) {
  Lanes lanes = {};
  fromSeats([&](std::size_t i) SLAQ_INLINE { lanes += number(i); });
  return sum(lanes);
}

constexpr Numbers kSeated = [] {
  Numbers seated{};
  std::fill_n(seated.begin(), kExperts, 1.0f);
  return seated;
}();

// So many times the weight of the experts that know the floor is the share of the logarithmic mean,
constexpr float kKnowing = 2;
// in which an expert is heard as if it expected so much of the height to go at most.
constexpr float kDeepest = 0.9f;
constexpr double kLeastHeight = 1e-12;  // in units: nothing of note is left below it

// Zero is near for losses that are less than so many times what they have fallen.
constexpr double kNearZero = 6;

constexpr double kDenoised = 0.7;  // the denoiser's share of the forecast where it is trusted

// An expert's weight is its error to the minus fourth.
[[gnu::always_inline]] inline Lanes weightOf(Lanes error) {
  const Lanes square = error * error;
  return 1.0f / (square * square);
}

// How far off the changes were that each expected, in the mean of all errors.
SLAQ_FOR_EACH_PROCESSOR
void addErrors(const Numbers& expected, float truth, Numbers& sums) {
  const auto error = [&](std::size_t i)
                         SLAQ_INLINE { return load(&kSeated[i]) * magnitude(load(&expected[i]) - truth); };
  const float mean = total(error) / kExperts;
  fromSeats([&](std::size_t i) SLAQ_INLINE {
    const Lanes relative = mean > 0 ? least(error(i) / mean, Lanes{} + kWorstError) : Lanes{} + 1.0f;
    store(load(&sums[i]) + relative, &sums[i]);
  });
}

// By the sums of so many errors. Who can't say anything has none.
SLAQ_FOR_EACH_PROCESSOR
Numbers weightsOf(const Numbers& sums, float judged, const Numbers& reach) {
  Numbers weights;
  fromSeats([&](std::size_t i) SLAQ_INLINE {
    const Lanes errors = judged > 0 ? load(&sums[i]) / judged : Lanes{} + 1.0f;
    store(load(&reach[i]) > 0.0f ? weightOf(errors + kLeastError) : Lanes{}, &weights[i]);
  });
  const float all = total([&](std::size_t i) SLAQ_INLINE { return load(&weights[i]); });
  fromSeats([&](std::size_t i) SLAQ_INLINE { store(load(&weights[i]) / all, &weights[i]); });
  return weights;
}

[[gnu::always_inline]] inline float weighted(const Numbers& weights, const Numbers& numbers) {
  return total([&](std::size_t i) SLAQ_INLINE { return load(&weights[i]) * load(&numbers[i]); });
}

// Plain or, in part, of the logarithms of what is above the floor.
SLAQ_FOR_EACH_PROCESSOR
float meanOf(const Numbers& weights, const Numbers& changes, float height, float logarithmic) {
  const float plain = weighted(weights, changes);
  if (!(logarithmic > 0)) return plain;
  const float logarithm = total([&](std::size_t i) SLAQ_INLINE {
    return load(&weights[i]) * logOnePlus(most(load(&changes[i]) / height, Lanes{} - kDeepest));
  });
  const float fallen = shareFallen(Lanes{} - logarithm)[0];
  return plain - logarithmic * (height * fallen + plain);
}

// The means of what the experts say, by their weights, which add up to 1.
class Mixture {
 public:
  // By the sums of so many errors. `height` is how far the newest loss is above the known floor, in units; 0
  // without one.
  Mixture(const Numbers& errors, float judged, const Numbers& reach, double height)
      : weights_(weightsOf(errors, judged, reach)),
        height_(static_cast<float>(height)),
        logarithmic_(height > kLeastHeight ? std::min(1.0f, kKnowing * weighted(weights_, knowingTheFloor()))
                                           : 0) {}

  float mean(const Numbers& changes) const { return meanOf(weights_, changes, height_, logarithmic_); }

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
  auto begin = iterations.end();
  while (begin != iterations.begin() && (size_ == 0 || begin[-1] > newest(0).iteration)) --begin;
  for (auto next = begin; next != iterations.end(); ++next) {
    const auto count = static_cast<std::size_t>(next - iterations.begin()) + 1;
    take(iterations.first(count), series.losses().first(count), target);
  }
}

void Ensemble::take(std::span<const double> iterations, std::span<const double> losses,
                    std::optional<double> target) {
  const double loss = losses.back();
  denoiser_.add(iterations.back(), loss);
  if (size_ > 0) {
    judge(iterations.back(), denoiser_.newest());
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
  const bool floorIsNear = target || lowest_ < kNearZero * range;
  if (!target && lowest_ > 0) target = 0;
  if (canAsk) round.opinions = askExperts({iterations, losses, lowest_, highest_, target, floorIsNear});
  curve_ = forecast(round, target);
  if (size_ == 1) promised_ = curve_;
}

void Ensemble::judge(double iteration, double loss) {
  for (auto& error : errors_) error *= kDiscount;
  judged_ *= kDiscount;
  for (const double ahead : kJudgedAhead) {
    if (const Round* round = roundBefore(iteration - ahead)) judge(*round, iteration, loss);
  }
}

void Ensemble::judge(const Round& round, double iteration, double loss) {
  if (!(round.unit > 0)) return;
  const double truth = std::clamp((loss - round.loss) / round.unit, -kGreatestTruth, kGreatestTruth);
  const auto ahead = static_cast<float>(iteration - round.iteration);
  addErrors(changesExpected(round.opinions, ahead), static_cast<float>(truth), errors_);
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

Curve Ensemble::forecast(const Round& round, std::optional<double> floor) const {
  if (!(round.unit > 0)) return Curve{.floor = round.loss, .origin = round.iteration};
  const Mixture mixture(errors_, judged_, round.opinions.reach,
                        floor ? (round.loss - *floor) / round.unit : 0);
  const double trust = kDenoised * denoiser_.trust();
  const auto heard = [&](float change, double ahead) {
    const double expected = change * round.unit;
    if (!(trust > 0)) return expected;
    return expected + trust * (denoiser_.at(round.iteration + ahead) - round.loss - expected);
  };
  const auto changeIn = [&](double ahead) {
    return heard(mixture.mean(changesExpected(round.opinions, static_cast<float>(ahead))), ahead);
  };
  const double lift = heard(mixture.mean(round.opinions.lift), 0);
  const double far = farAhead(round.iteration);
  return hyperbolaThrough(round.iteration, round.loss + lift, {kNearAhead, lift - changeIn(kNearAhead)},
                          {far, lift - changeIn(far)});
}

}  // namespace slaq
