// Features of a chosen condition number: independent columns whose standard deviations fall geometrically
// from 1 to 1/sqrt(condition). The linear models share them.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "trainer/problem.h"

namespace slaq::trainer {

inline Eigen::VectorXd featureScales(const Problem& problem) {
  Eigen::VectorXd scales(problem.features);
  const double steps = static_cast<double>(std::max<std::int64_t>(problem.features - 1, 1));
  for (Eigen::Index j = 0; j < scales.size(); ++j) {
    scales[j] = std::pow(problem.condition, -0.5 * static_cast<double>(j) / steps);
  }
  return scales;
}

// Rows that fit the second-level cache are worked on together: each is then read from memory once, and
// float sums stay short before they are added up as doubles.
template <class Visit>
void forEachSlice(Eigen::Index rows, Visit visit) {
  constexpr Eigen::Index kSlice = 256;
  for (Eigen::Index first = 0; first < rows; first += kSlice) visit(first, std::min(kSlice, rows - first));
}

}  // namespace slaq::trainer
