// The features of the polynomial kernel (gamma x.y + offset)^degree, written out: the map's dot product is
// the kernel, exactly. There are binomial(features + degree, degree) of them, so it is for few features.
// Unlike a sample of landmarks or of random features it needs nothing from other rows, which makes the dual
// problem of the kernel a primal one over rows, and data-parallel.
#pragma once

#include <vector>

#include "trainer/data/chunk.h"

namespace slaq::trainer::algorithms::linear {

class PolynomialMap {
 public:
  // REQUIRES: features >= 1, 1 <= degree, gamma > 0, offset >= 0.
  PolynomialMap(Eigen::Index features, int degree, double gamma, double offset);

  static double sizeFor(Eigen::Index features, int degree);
  Eigen::Index size() const { return scales_.size(); }
  // The mapped rows, one row each.
  Eigen::MatrixXf operator()(const data::Matrix& rows, Eigen::Index first, Eigen::Index count) const;

 private:
  // A monomial is one of a degree less times a factor that is not before its last.
  struct Monomial {
    Eigen::Index shorter = 0;
    Eigen::Index factor = 0;
  };

  Eigen::Index factors_;  // the features, and a constant
  float scale_;           // of the features
  float constant_;
  std::vector<std::vector<Monomial>> degrees_;  // from degree 2 on
  Eigen::RowVectorXf scales_;                   // of the monomials: roots of multinomial coefficients
};

}  // namespace slaq::trainer::algorithms::linear
