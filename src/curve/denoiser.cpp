#include "curve/denoiser.h"

#include <algorithm>
#include <cmath>

#include "curve/lanes.h"

namespace slaq {
namespace {

using Each = Denoiser::Each;
using Regression = Denoiser::Regression;
using Fit = Denoiser::Fit;

// A group of laws for each power, with these scales in its lanes.
constexpr Lanes kScales = {1, 2, 4, 8, 16, 32, 64, 128};
constexpr float kPowers[] = {0.25f, 1, 4};
static_assert(std::size(kPowers) * kLanes == Denoiser::kLaws);

constexpr float kDiscount = 0.98f;  // of the losses before each
constexpr std::size_t kFewest = 4;  // losses that laws are fitted to
constexpr float kTaken = 2;         // of which its floor and its height take so many
// Heights above so many times the range seen are unlikely.
constexpr float kHighest = 2;
// No law fits better than to this share of the range.
constexpr float kLeastError = 0.003f;

constexpr float kLeastNoise = 1e-5f;    // of the range: less is worth nothing
constexpr float kNoiseDiscount = 0.9f;  // of the residuals before each
// Noise that is so many times less than what is unexplained may still be all of it.
constexpr float kLeniency = 1.5f;
constexpr float kLeastTrust = 0.01f;  // less is none
constexpr double kGreatest = 1e9;     // in units: the squares of greater ones might overflow

// (1 + k/scale)^-power of the laws of each power: without the logarithm and the exponential of any power.
template <std::size_t group>
[[gnu::always_inline]] inline Lanes shapesAt(float iteration) {
  const Lanes inverse = kScales / (kScales + iteration);
  if constexpr (kPowers[group] == 0.25f) return squareRoot(squareRoot(inverse));
  if constexpr (kPowers[group] == 4) return (inverse * inverse) * (inverse * inverse);
  static_assert(kPowers[group] == 0.25f || kPowers[group] == 1 || kPowers[group] == 4);
  return inverse;
}

SLAQ_FOR_EACH_PROCESSOR
void learn(float iteration, float loss, Regression& regression) {
  const float older = kDiscount * regression.count;
  regression.count = older + 1;
  const float kept = older / regression.count;
  const float change = loss - regression.lossMean;
  regression.lossMean += change / regression.count;
  regression.lossSpread = kDiscount * regression.lossSpread + kept * change * change;
  forEachGroup<Denoiser::kLaws>([&](auto group) SLAQ_INLINE {
    const std::size_t i = group * kLanes;
    const Lanes mean = load(&regression.shapeMean[i]);
    const Lanes from = shapesAt<group>(iteration) - mean;
    store(mean + from / regression.count, &regression.shapeMean[i]);
    store(kDiscount * load(&regression.shapeSpread[i]) + kept * from * from, &regression.shapeSpread[i]);
    store(kDiscount * load(&regression.shapeWithLoss[i]) + kept * change * from,
          &regression.shapeWithLoss[i]);
  });
}

// By the variance of the noise and the range of the losses. A law's likelihood falls with the power that its
// squared error has, for as many losses as it was fitted to; flat laws are the likelier before.
SLAQ_FOR_EACH_PROCESSOR
Fit fitOf(const Regression& regression, float noise, float range) {
  constexpr float kHair = 1e-9f;
  const float ridge = std::min(1.0f, noise / (kHighest * kHighest * range * range)) + kHair;
  const float leastError = kLeastError * kLeastError * range * range;
  const float freedom = std::max(regression.count - kTaken, 1.0f);
  Fit fit;
  Each errors;
  Lanes lowest = Lanes{} + HUGE_VALF;
  forEachGroup<Denoiser::kLaws>([&](auto group) SLAQ_INLINE {
    const std::size_t i = group * kLanes;
    const Lanes together = most(load(&regression.shapeWithLoss[i]), Lanes{});
    const Lanes height = together / (load(&regression.shapeSpread[i]) + ridge);
    store(height, &fit.heights[i]);
    const Lanes error = most(regression.lossSpread - height * together, Lanes{}) + leastError;
    store(error, &errors[i]);
    lowest = least(lowest, error);
  });
  const float best = leastOf(lowest);
  Lanes all = {}, weighted = {};
  forEachGroup<Denoiser::kLaws>([&](auto group) SLAQ_INLINE {
    const std::size_t i = group * kLanes;
    const Lanes error = load(&errors[i]);
    const Lanes unlikely = 0.5f * freedom * logOnePlus((error - best) / best);
    const Lanes weight = (1.0f - shareFallen(unlikely)) / kPowers[group];
    all += weight;
    weighted += weight * error;
    store(load(&fit.heights[i]) * weight, &fit.heights[i]);
  });
  const float perWeight = 1 / sum(all);
  for (auto& height : fit.heights) height *= perWeight;
  fit.unexplained = sum(weighted) * perWeight / freedom;
  return fit;
}

SLAQ_FOR_EACH_PROCESSOR
float lossAt(float iteration, const Regression& regression, const Fit& fit) {
  Lanes above = {};
  forEachGroup<Denoiser::kLaws>([&](auto group) SLAQ_INLINE {
    const std::size_t i = group * kLanes;
    above += load(&fit.heights[i]) * (shapesAt<group>(iteration) - load(&regression.shapeMean[i]));
  });
  return regression.lossMean + sum(above);
}

// Power laws begin at iteration 0.
double fromZero(double iteration) { return std::max(iteration, 0.0); }

}  // namespace

void Denoiser::add(double iteration, double loss) {
  measure(loss);
  const Sample sample{fromZero(iteration), inUnits(loss)};
  lowest_ = std::min(lowest_, sample.loss);
  highest_ = std::max(highest_, sample.loss);
  judge(sample);
  before_ = last_;
  last_ = sample;
  ++added_;
  learn(static_cast<float>(sample.iteration), static_cast<float>(sample.loss), regression_);
  trust_ = 0;
  const auto range = static_cast<float>(highest_ - lowest_);
  const float noise = this->noise();
  if (!(noise > kLeastNoise * kLeastNoise * range * range) || added_ < kFewest) return;
  fit_ = fitOf(regression_, noise, range);
  const float explained = std::min(1.0f, kLeniency * noise / fit_.unexplained);
  const float square = explained * explained;
  trust_ = square * square * judged_ / (judged_ + 1);
  if (trust_ < kLeastTrust) trust_ = 0;
  if (trust_ > 0) now_ = lossAt(static_cast<float>(sample.iteration), regression_, fit_);
}

void Denoiser::measure(double loss) {
  if (unit_ > 0 && !(std::abs(loss - first_) <= kGreatest * unit_)) *this = Denoiser();
  if (added_ == 0) first_ = loss;
  newest_ = loss;
  const double change = std::abs(loss - first_);
  if (unit_ == 0 && std::isfinite(change) && std::isfinite(1 / change)) unit_ = change;
}

double Denoiser::inUnits(double loss) const { return unit_ > 0 ? (loss - first_) / unit_ : 0; }

void Denoiser::judge(const Sample& sample) {
  const double until = last_.iteration - before_.iteration;
  const double since = sample.iteration - last_.iteration;
  if (added_ < 2 || !(until > 0 && since > 0)) return;
  const double residual = last_.loss - (before_.loss * since + sample.loss * until) / (until + since);
  const auto next = static_cast<float>(residual);
  products_ = kNoiseDiscount * products_ + next * residual_;
  judged_ = kNoiseDiscount * judged_ + 1;
  residual_ = next;
}

// The variance of the noise: what adjacent residuals have in common is its negative, where losses are evenly
// spaced. 0 where the shape outweighs it.
float Denoiser::noise() const { return judged_ > 0 ? std::max(0.0f, -products_ / judged_) : 0; }

double Denoiser::at(double iteration) const {
  const bool isNow = iteration == last_.iteration;
  return first_ + unit_ * (isNow ? now_ : lossAt(static_cast<float>(fromZero(iteration)), regression_, fit_));
}

double Denoiser::newest() const {
  return trust_ > 0 ? newest_ + trust_ * (at(last_.iteration) - newest_) : newest_;
}

}  // namespace slaq
