// What a round of gradient boosting asks of the workers, and how it travels as the state: first to count the
// rows in the cells of each feature, then, level by level, to sum derivatives for some nodes of a tree.
#pragma once

#include <variant>

#include "trainer/algorithms/algorithm.h"
#include "trainer/algorithms/trees/cells.h"
#include "trainer/algorithms/trees/tree.h"

namespace slaq::trainer::algorithms::trees {

struct CountingRound {
  std::vector<Cells> cells;  // by feature
};

// The model that the rows are at, and the tree that grows on top of it.
struct GrowingRound {
  // Cuts by feature, each padded to bins - 1 with infinities, then the first prediction, then the trees:
  // numbers are only ever appended to it.
  data::Vector model;
  Tree tree;
  int level = 0;
  std::vector<std::size_t> wanted;  // places of nodes
};

using BoostingRound = std::variant<CountingRound, GrowingRound>;

data::Vector written(const BoostingRound& round);
BoostingRound readRound(const data::Vector& numbers);

}  // namespace slaq::trainer::algorithms::trees
