#include "forecast/ensemble/denoiser.h"

#include <algorithm>
#include <cmath>

#include "forecast/constants.h"

namespace slaq::forecast {
namespace {

// Each power is combined with each scale: 1, 2, 4... 128.
constexpr int kScales = 8;
constexpr double kPowers[] = {0.25, 1, 4};

constexpr std::size_t kFewest = 4;  // losses to which laws are fitted
constexpr double kParameters = 2;   // of a law: its floor and its height
constexpr double kLeastRidge = 1e-9;

constexpr double kLeastNoise = 1e-5;   // share of the range; less noise is not worth removing
constexpr double kLeastTrust = 0.01;   // less counts as none
constexpr double kGreatestLoss = 1e9;  // in units; a greater loss is out of proportion to the first change

// The shape (1 + k/scale)^-power of each law, with the powers 1/4, 1 and 4.
LawNumbers shapesAt(double iteration) {
  Eigen::Array<double, kScales, 1> scales;
  for (int i = 0; i < kScales; ++i) scales[i] = std::ldexp(1.0, i);
  const Eigen::Array<double, kScales, 1> inverse = scales / (scales + iteration);
  LawNumbers shapes;
  shapes << inverse.sqrt().sqrt(), inverse, inverse.square().square();
  return shapes;
}

// Prior weights of the laws, before any loss is seen: flatter laws are more likely.
LawNumbers priors() {
  using EachScale = Eigen::Array<double, kScales, 1>;
  LawNumbers priors;
  priors << EachScale::Constant(1 / kPowers[0]), EachScale::Constant(1 / kPowers[1]),
      EachScale::Constant(1 / kPowers[2]);
  return priors;
}

// Ridge regression: height = <shape, loss> / (<shape, shape> + ridge), never below 0. The likelihood of a law
// with the squared error e is e^(-freedom/2).
LawMixture mixtureOf(const LawRegression& regression, double noise, double range) {
  const double unlikelyHeight = kGreatestHeight * range;
  const double ridge = std::min(1.0, noise / (unlikelyHeight * unlikelyHeight)) + kLeastRidge;
  const double leastError = kLeastCurveError * kLeastCurveError * range * range;
  const double freedom = std::max(regression.count - kParameters, 1.0);

  const LawNumbers product = regression.shapeWithLoss.max(0);
  const LawNumbers heights = product / (regression.shapeSpread + ridge);
  const LawNumbers errors = (regression.lossSpread - heights * product).max(0) + leastError;
  const LawNumbers likelihoods = (errors / errors.minCoeff()).pow(-freedom / 2);
  const LawNumbers weights = priors() * likelihoods;
  const double sum = weights.sum();
  return {heights * weights / sum, (weights * errors).sum() / sum / freedom};
}

// Power laws begin at iteration 0.
double fromZero(double iteration) { return std::max(iteration, 0.0); }

}  // namespace

// Welford's updates of the means and the sums, discounted.
void LawRegression::add(double iteration, double loss) {
  const double older = kLossDiscount * count;
  count = older + 1;
  const double kept = older / count;
  const double lossDeviation = loss - lossMean;
  const LawNumbers shapeDeviation = shapesAt(iteration) - shapeMean;
  lossMean += lossDeviation / count;
  shapeMean += shapeDeviation / count;
  lossSpread = kLossDiscount * lossSpread + kept * lossDeviation * lossDeviation;
  shapeSpread = kLossDiscount * shapeSpread + kept * shapeDeviation.square();
  shapeWithLoss = kLossDiscount * shapeWithLoss + kept * lossDeviation * shapeDeviation;
}

double LawMixture::lossAt(double iteration, const LawRegression& regression) const {
  return regression.lossMean + (heights * (shapesAt(iteration) - regression.shapeMean)).sum();
}

void Denoiser::add(double iteration, double loss) {
  chooseUnit(loss);
  const Sample sample{fromZero(iteration), inUnits(loss)};
  lowest_ = std::min(lowest_, sample.loss);
  highest_ = std::max(highest_, sample.loss);
  recordResidual(sample);
  before_ = last_;
  last_ = sample;
  ++added_;
  regression_.add(sample.iteration, sample.loss);

  trust_ = 0;
  const double range = highest_ - lowest_;
  const double noise = this->noise();
  if (!(noise > kLeastNoise * kLeastNoise * range * range) || added_ < kFewest) return;
  mixture_ = mixtureOf(regression_, noise, range);
  const double explained = std::min(1.0, kLeniency * noise / mixture_.unexplained);
  const double trust = std::pow(explained, 4) * residuals_ / (residuals_ + 1);
  if (trust >= kLeastTrust) trust_ = trust;
}

void Denoiser::chooseUnit(double loss) {
  if (unit_ > 0 && !(std::abs(loss - first_) <= kGreatestLoss * unit_)) *this = Denoiser();
  if (added_ == 0) first_ = loss;
  newest_ = loss;
  const double change = std::abs(loss - first_);
  if (unit_ == 0 && std::isfinite(change) && std::isfinite(1 / change)) unit_ = change;
}

double Denoiser::inUnits(double loss) const { return unit_ > 0 ? (loss - first_) / unit_ : 0; }

void Denoiser::recordResidual(const Sample& sample) {
  const double until = last_.iteration - before_.iteration;
  const double since = sample.iteration - last_.iteration;
  if (added_ < 2 || !(until > 0 && since > 0)) return;
  const double line = (before_.loss * since + sample.loss * until) / (until + since);
  const double residual = last_.loss - line;
  products_ = kErrorDiscount * products_ + residual * residual_;
  residuals_ = kErrorDiscount * residuals_ + 1;
  residual_ = residual;
}

// The variance of the noise. Where losses are evenly spaced, it is the mean product of adjacent residuals
// with the opposite sign. 0 where the shape of the curve outweighs the noise.
double Denoiser::noise() const { return residuals_ > 0 ? std::max(0.0, -products_ / residuals_) : 0; }

double Denoiser::at(double iteration) const {
  return first_ + unit_ * mixture_.lossAt(fromZero(iteration), regression_);
}

double Denoiser::newest() const {
  return trust_ > 0 ? newest_ + trust_ * (at(last_.iteration) - newest_) : newest_;
}

}  // namespace slaq::forecast
