// Estimates a job's losses without their noise by 24 power laws, floor + height (1 + k/scale)^-power. Each
// law is fitted to all losses seen, with less weight on older ones, and counts by its likelihood (Bayes).
// Power laws are too stiff to follow a loss closely, so they are trusted only as far as the part that they
// leave unexplained is noise. The residual of each loss from the line through both neighbours tells noise
// from shape: along a smooth curve adjacent residuals have the same sign, in noise mostly opposite ones. A
// plain value.
#pragma once

#include <Eigen/Core>
#include <cstddef>

namespace slaq::forecast {

// One number for each power law.
using LawNumbers = Eigen::Array<double, 24, 1>;

// Least squares of loss = floor + height * shape for each power law, with discounted samples. It keeps the
// means, and the sums of the products of deviations from them.
struct LawRegression {
  LawNumbers shapeMean = LawNumbers::Zero();
  LawNumbers shapeSpread = LawNumbers::Zero();
  LawNumbers shapeWithLoss = LawNumbers::Zero();
  double lossMean = 0;
  double lossSpread = 0;
  double count = 0;

  void add(double iteration, double loss);
};

// The mean of all fitted power laws, weighted by their likelihoods.
struct LawMixture {
  LawNumbers heights = LawNumbers::Zero();  // each times its law's weight
  double unexplained = 0;                   // the mean variance that the laws do not explain

  double lossAt(double iteration, const LawRegression& regression) const;
};

class Denoiser {
 public:
  // Takes finite numbers, at ever later iterations. After a change that is out of all proportion to the first
  // one, it forgets all earlier losses.
  void add(double iteration, double loss);

  // How far the denoised loss can be trusted: 0 for losses that fall smoothly or unlike any power law, and
  // nearly 1 for a power law with noise.
  double trust() const { return trust_; }
  // The loss at `iteration` without noise. REQUIRES: trust() > 0.
  double at(double iteration) const;
  // The loss that was added last, with as much of its noise removed as trust() allows.
  double newest() const;

 private:
  struct Sample {
    double iteration = 0;
    double loss = 0;  // in units
  };

  void chooseUnit(double loss);
  double inUnits(double loss) const;
  void recordResidual(const Sample& sample);
  double noise() const;

  double newest_ = 0;  // the newest loss, not in units
  double first_ = 0;   // the first loss; units count from it
  double unit_ = 0;    // the first change of the loss; 0 until there was one
  std::size_t added_ = 0;
  Sample before_;  // the sample before the newest
  Sample last_;
  double lowest_ = 0;
  double highest_ = 0;
  double residual_ = 0;   // of `before_`, from the line through both neighbours
  double products_ = 0;   // discounted sum of the products of adjacent residuals,
  double residuals_ = 0;  // and their discounted number; the first residual's product counts as 0
  LawRegression regression_;
  LawMixture mixture_;
  double trust_ = 0;
};

}  // namespace slaq::forecast
