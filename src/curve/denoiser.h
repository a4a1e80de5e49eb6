// What a job's losses would be without their noise, by 24 power laws, floor + height (1 + k/scale)^-power, of
// which each is fitted to all losses seen, older ones less, and counts by how likely it makes them (Bayes).
// They are too stiff to follow a loss closely: they are to be heard as far as what they leave unexplained is
// noise. Noise is told from shape by the residuals from a line through both neighbours: those next to each
// other have the same sign along a smooth curve, and mostly opposite ones in noise. A plain value of half a
// kilobyte.
#pragma once

#include <array>
#include <cstddef>

namespace slaq {

class Denoiser {
 public:
  // Finite numbers, at ever later iterations. Beside a change that is out of all proportion to the first one,
  // what came before is forgotten.
  void add(double iteration, double loss);

  // From 0, for losses that fall smoothly or in a way that no power law does, to nearly 1, for those that are
  // a power law with noise.
  float trust() const { return trust_; }
  // The loss there without noise. REQUIRES: trust() > 0.
  double at(double iteration) const;
  // What was added last, freed of as much noise as there is trust.
  double newest() const;

  static constexpr std::size_t kLaws = 24;
  using Each = std::array<float, kLaws>;

  // Regressions on the shape (1 + k/scale)^-power of each law, all at once: discounted means, and sums of the
  // products of deviations from them.
  struct Regression {
    Each shapeMean{};
    Each shapeSpread{};
    Each shapeWithLoss{};
    float lossMean = 0;
    float lossSpread = 0;
    float count = 0;
  };

  // Each law's height by its likelihood, and the mean variance of what they leave unexplained.
  struct Fit {
    Each heights{};
    float unexplained = 0;
  };

 private:
  struct Sample {
    double iteration = 0;
    double loss = 0;
  };

  void measure(double loss);
  double inUnits(double loss) const;
  void judge(const Sample& sample);
  float noise() const;

  double newest_ = 0;  // the loss
  double first_ = 0;   // losses count from the first one
  double unit_ = 0;    // in its first change; 0 until there was one
  std::size_t added_ = 0;
  Sample before_;  // the newest sample but one
  Sample last_;
  double lowest_ = 0;
  double highest_ = 0;
  float residual_ = 0;  // of the newest sample but one, from a line through both neighbours
  float products_ = 0;  // discounted sums: of adjacent residuals' products, the first one's being 0,
  float judged_ = 0;    // and of their number
  Regression regression_;
  Fit fit_;
  float trust_ = 0;
  float now_ = 0;  // the newest loss by the fit, in units; only with trust
};

}  // namespace slaq
