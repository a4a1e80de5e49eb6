#include "curve/ensemble.h"

#include <algorithm>
#include <cmath>

#include "curve/hyperbola.h"

namespace slaq {
namespace {

// Forecasts are judged so many iterations after they were made, or by the next pair.
constexpr double kJudgedAhead[] = {0, 5, 10};
// Of which those are remembered that are at least so many iterations apart.
constexpr double kBetweenRounds = 2.5;

constexpr double kDiscount = 0.9;   // of what was judged, with each pair
constexpr double kWorstError = 10;  // times the mean of all experts: more says nothing more
constexpr double kPower = 5;        // an expert's weight is its error to the minus fifth
constexpr double kLeastError = 1e-3;

}  // namespace

void Ensemble::follow(const LossSeries& series, std::optional<double> target) {
  if (series.restarts() != restarts_) {
    *this = Ensemble();
    restarts_ = series.restarts();
  }
  const auto iterations = series.iterations();
  const auto begin =
      size_ == 0 ? iterations.begin() : std::ranges::upper_bound(iterations, rounds_.front().iteration);
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
  Round round{.iteration = iterations.back(), .loss = loss, .unit = highest_ - lowest_};
  if (!target && lowest_ > 0) target = 0;
  if (iterations.size() >= 3 && round.unit > 0) {
    round.opinions = askExperts({iterations, losses, lowest_, highest_, target});
  }
  remember(round);
  curve_ = forecast(round);
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
  if (round.opinions.able == 0) return;
  const double truth = (loss - round.loss) / round.unit;
  const double ahead = iteration - round.iteration;
  std::array<double, kExperts> errors{};
  double mean = 0;
  for (std::size_t i = 0; i < kExperts; ++i) {
    errors[i] = std::abs(changeExpected(round.opinions, i, ahead) - truth);
    mean += errors[i] / kExperts;
  }
  for (std::size_t i = 0; i < kExperts; ++i) {
    errors_[i] += static_cast<float>(mean > 0 ? std::min(errors[i] / mean, kWorstError) : 1);
  }
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
    if (rounds_[i].iteration <= iteration) return &rounds_[i];
  }
  return nullptr;
}

// The newest takes the place of the one before it, if that one is too close to the third.
void Ensemble::remember(const Round& round) {
  const bool replaces = size_ > 1 && rounds_[0].iteration - rounds_[1].iteration < kBetweenRounds;
  if (!replaces) {
    size_ = std::min(size_ + 1, kRounds);
    std::shift_right(rounds_.begin(), rounds_.begin() + static_cast<std::ptrdiff_t>(size_), 1);
  }
  rounds_.front() = round;
}

std::array<double, kExperts> Ensemble::weights(const Opinions& opinions) const {
  std::array<double, kExperts> weights{};
  double sum = 0;
  for (std::size_t i = 0; i < kExperts; ++i) {
    if ((opinions.able >> i & 1) == 0) continue;
    const double error = judged_ > 0 ? errors_[i] / judged_ : 1;
    weights[i] = std::pow(error + kLeastError, -kPower);
    sum += weights[i];
  }
  if (sum > 0) {
    for (auto& weight : weights) weight /= sum;
  }
  return weights;
}

Curve Ensemble::forecast(const Round& round) const {
  const auto weights = this->weights(round.opinions);
  const auto changeIn = [&](double ahead) {
    double sum = 0;
    for (std::size_t i = 0; i < kExperts; ++i) {
      if (weights[i] > 0) sum += weights[i] * changeExpected(round.opinions, i, ahead);
    }
    return sum * round.unit;
  };
  const double lift = changeIn(0);
  const double far = farAhead(round.iteration);
  return hyperbolaThrough(round.iteration, round.loss + lift, {kNearAhead, lift - changeIn(kNearAhead)},
                          {far, lift - changeIn(far)});
}

}  // namespace slaq
