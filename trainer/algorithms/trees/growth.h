// One tree as it grows, a level for each round of histograms. Of two children only the lighter one's
// histogram is asked for: the other's is what their parent's leaves.
#pragma once

#include <vector>

#include "trainer/algorithms/trees/split.h"
#include "trainer/io/archive.h"

namespace slaq::trainer::algorithms::trees {

class Growth {
 public:
  Growth(int depth, SplitRules rules) : rules_(rules), tree_(depth), wanted_{0} {}

  const Tree& tree() const { return tree_; }
  int level() const { return level_; }
  // The nodes of this level whose histograms are asked for, by their places.
  const std::vector<std::size_t>& wanted() const { return wanted_; }
  bool isDone() const { return wanted_.empty(); }

  // Splits the nodes of this level. REQUIRES: one histogram for each of wanted(), in that order.
  void grow(std::vector<Histogram> found);

  // REQUIRES, to load: made with the same depth and rules.
  void archive(io::Archive& fields);

 private:
  struct Node {
    std::size_t place = 0;
    Histogram histogram;
  };

  std::vector<Node> nodesOfLevel(std::vector<Histogram> found);
  void split(Node node);

  SplitRules rules_;
  Tree tree_;
  int level_ = 0;
  std::vector<std::size_t> wanted_;
  std::vector<Histogram> parents_;  // of the wanted nodes; empty at the root
};

}  // namespace slaq::trainer::algorithms::trees
