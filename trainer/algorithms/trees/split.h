// The best split of a node, from sums of first and second derivatives of the loss by feature and bin
// (Friedman 2001; regularized as in Chen and Guestrin 2016, equations 6 and 7).
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "trainer/algorithms/trees/tree.h"

namespace slaq::trainer::algorithms::trees {

// Over some rows: derivatives of the loss by the prediction, and how many rows.
struct Sums {
  double gradient = 0;
  double curvature = 0;
  double count = 0;

  Sums& operator+=(const Sums& other);
  Sums& operator-=(const Sums& other);
  friend Sums operator-(Sums left, const Sums& right) { return left -= right; }
  bool operator==(const Sums&) const = default;
};

inline constexpr int kSumsNumbers = 3;  // as they travel

// A node's sums, bin by bin, feature after feature.
using Histogram = std::vector<Sums>;

struct SplitRules {
  std::int64_t bins = 64;
  double minLeaf = 20;  // rows on each side
  double l2 = 1;        // on the values of leaves
  double learningRate = 0.1;
};

struct Split {
  Tree::Node node;
  double gain = 0;
  Sums left;
  Sums right;
};

// Over any one feature the bins' sums are the node's.
Sums totalOf(std::span<const Sums> histogram, std::int64_t bins);

// Nothing if no split lowers the loss; of equal ones the first.
std::optional<Split> bestSplit(std::span<const Sums> histogram, const SplitRules& rules);

// What the leaf adds to the predictions of its rows.
float leafValue(const Sums& sums, const SplitRules& rules);

}  // namespace slaq::trainer::algorithms::trees
