#include "trainer/algorithms/linear/polynomial_map.h"

#include <cmath>

namespace slaq::trainer::algorithms::linear {

PolynomialMap::PolynomialMap(Eigen::Index features, int degree, double gamma, double offset)
    : factors_(features + 1),
      scale_(static_cast<float>(std::sqrt(gamma))),
      constant_(static_cast<float>(std::sqrt(offset))) {
  struct Last {
    Eigen::Index factor;  // of a monomial
    int power;            // that this factor has in it
    double ways;          // orders in which its factors can be multiplied
  };
  std::vector<Last> lasts;
  for (Eigen::Index i = 0; i < factors_; ++i) lasts.push_back({i, 1, 1});
  for (int d = 2; d <= degree; ++d) {
    std::vector<Last> longer;
    std::vector<Monomial> monomials;
    for (std::size_t m = 0; m < lasts.size(); ++m) {
      for (Eigen::Index i = lasts[m].factor; i < factors_; ++i) {
        const int power = i == lasts[m].factor ? lasts[m].power + 1 : 1;
        monomials.push_back({static_cast<Eigen::Index>(m), i});
        longer.push_back({i, power, lasts[m].ways * d / power});
      }
    }
    degrees_.push_back(std::move(monomials));
    lasts = std::move(longer);
  }
  scales_.resize(static_cast<Eigen::Index>(lasts.size()));
  for (std::size_t m = 0; m < lasts.size(); ++m) {
    scales_[static_cast<Eigen::Index>(m)] = static_cast<float>(std::sqrt(lasts[m].ways));
  }
}

double PolynomialMap::sizeFor(Eigen::Index features, int degree) {
  double size = 1;
  for (int d = 1; d <= degree; ++d) size *= (static_cast<double>(features) + d) / d;
  return size;
}

// Column by column, so that each product is one of vectors.
Eigen::MatrixXf PolynomialMap::operator()(const data::Matrix& rows, Eigen::Index first,
                                          Eigen::Index count) const {
  Eigen::MatrixXf linear(count, factors_);
  linear.leftCols(factors_ - 1) = scale_ * rows.middleRows(first, count);
  linear.col(factors_ - 1).setConstant(constant_);
  Eigen::MatrixXf mapped = linear;
  for (const auto& monomials : degrees_) {
    Eigen::MatrixXf longer(count, static_cast<Eigen::Index>(monomials.size()));
    for (Eigen::Index m = 0; m < longer.cols(); ++m) {
      const Monomial& monomial = monomials[static_cast<std::size_t>(m)];
      longer.col(m) = mapped.col(monomial.shorter).cwiseProduct(linear.col(monomial.factor));
    }
    mapped = std::move(longer);
  }
  mapped.array().rowwise() *= scales_.array();
  return mapped;
}

}  // namespace slaq::trainer::algorithms::linear
