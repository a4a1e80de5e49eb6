// What a job's losses would be without their noise, by 24 power laws, floor + height (1 + k/scale)^-power.
// Each is fitted to all losses seen, older ones less, and counts by how likely it makes them (Bayes). Power
// laws are too stiff to follow a loss closely: they are trusted as far as what they leave unexplained is
// noise. Noise is told from shape by each loss's residual from the line through both of its neighbours: along
// a smooth curve adjacent residuals have the same sign, in noise mostly opposite ones. A plain value.
#pragma once

#include <Eigen/Core>
#include <cstddef>

namespace slaq::forecast {

// One number for each power law.
using LawNumbers = Eigen::Array<double, 24, 1>;

// Least squares of loss = floor + height * shape for each power law, with discounted samples: the means, and
// the sums of the products of deviations from them.
struct LawRegression {
  LawNumbers shapeMean = LawNumbers::Zero();
  LawNumbers shapeSpread = LawNumbers::Zero();
  LawNumbers shapeWithLoss = LawNumbers::Zero();
  double lossMean = 0;
  double lossSpread = 0;
  double count = 0;

  void add(double iteration, double loss);
};

// The mean of all fitted power laws by their likelihoods.
struct LawMixture {
  LawNumbers heights = LawNumbers::Zero();  // each times its law's weight
  double unexplained = 0;                   // the mean variance of what the laws leave

  double lossAt(double iteration, const LawRegression& regression) const;
};

class Denoiser {
 public:
  // Finite numbers, at ever later iterations. After a change that is out of all proportion to the first one,
  // what came before is forgotten.
  void add(double iteration, double loss);

  // From 0, for losses that fall smoothly or in a way that no power law does, to nearly 1, for those that are
  // a power law with noise.
  double trust() const { return trust_; }
  // The loss there without noise. REQUIRES: trust() > 0.
  double at(double iteration) const;
  // What was added last, freed of as much noise as there is trust.
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

  double newest_ = 0;  // the loss
  double first_ = 0;   // losses count from the first one
  double unit_ = 0;    // in its first change; 0 until there was one
  std::size_t added_ = 0;
  Sample before_;  // the newest sample but one
  Sample last_;
  double lowest_ = 0;
  double highest_ = 0;
  double residual_ = 0;   // of the newest sample but one, from the line through both neighbours
  double products_ = 0;   // the discounted sum of adjacent residuals' products, and the number of these;
  double residuals_ = 0;  // the first residual's product counts as 0
  LawRegression regression_;
  LawMixture mixture_;
  double trust_ = 0;
};

}  // namespace slaq::forecast
