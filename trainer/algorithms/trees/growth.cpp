#include "trainer/algorithms/trees/growth.h"

#include <utility>

namespace slaq::trainer::algorithms::trees {

void Growth::grow(std::vector<Histogram> found) {
  if (level_ == 0) tree_.leftmostLeaf(0, 0) = leafValue(totalOf(found.front(), rules_.bins), rules_);
  std::vector<Node> nodes = nodesOfLevel(std::move(found));
  wanted_.clear();
  parents_.clear();
  for (Node& node : nodes) split(std::move(node));
  ++level_;
}

std::vector<Growth::Node> Growth::nodesOfLevel(std::vector<Histogram> found) {
  std::vector<Node> nodes;
  for (std::size_t i = 0; i < wanted_.size(); ++i) {
    if (level_ > 0) {
      Histogram rest = std::move(parents_[i]);
      for (std::size_t bin = 0; bin < rest.size(); ++bin) rest[bin] -= found[i][bin];
      nodes.push_back({wanted_[i] ^ 1, std::move(rest)});
    }
    nodes.push_back({wanted_[i], std::move(found[i])});
  }
  return nodes;
}

void Growth::split(Node node) {
  const auto best = bestSplit(node.histogram, rules_);
  if (!best) return;
  tree_.node(level_, node.place) = best->node;
  const std::size_t left = 2 * node.place;
  tree_.leftmostLeaf(level_ + 1, left) = leafValue(best->left, rules_);
  tree_.leftmostLeaf(level_ + 1, left + 1) = leafValue(best->right, rules_);
  if (level_ + 1 == tree_.depth) return;
  wanted_.push_back(best->left.count <= best->right.count ? left : left + 1);
  parents_.push_back(std::move(node.histogram));
}

void Growth::archive(io::Archive& fields) {
  data::Vector tree(Tree::sizeOf(tree_.depth));
  tree_.write(tree);
  fields("level", level_), fields("tree", tree), fields("wanted", wanted_);
  if (tree.size() == Tree::sizeOf(tree_.depth)) tree_ = Tree::read(tree_.depth, tree);
  fields.list("parents", parents_, [](io::Archive& parent, Histogram& histogram) {
    parent.list("histogram", histogram, [](io::Archive& bin, Sums& sums) {
      bin("gradient", sums.gradient), bin("curvature", sums.curvature), bin("count", sums.count);
    });
  });
}

}  // namespace slaq::trainer::algorithms::trees
