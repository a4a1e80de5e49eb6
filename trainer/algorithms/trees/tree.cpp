#include "trainer/algorithms/trees/tree.h"

namespace slaq::trainer::algorithms::trees {

void Tree::write(Eigen::Ref<Eigen::VectorXd> numbers) const {
  Eigen::Index next = 0;
  for (const Node& node : nodes) {
    numbers[next++] = node.feature;
    numbers[next++] = node.lastLeft;
  }
  for (const float leaf : leaves) numbers[next++] = leaf;
}

Tree Tree::read(int depth, const Eigen::Ref<const Eigen::VectorXd>& numbers) {
  Tree tree(depth);
  Eigen::Index next = 0;
  for (Node& node : tree.nodes) {
    node.feature = static_cast<std::int32_t>(numbers[next++]);
    node.lastLeft = static_cast<Bin>(numbers[next++]);
  }
  for (float& leaf : tree.leaves) leaf = static_cast<float>(numbers[next++]);
  return tree;
}

}  // namespace slaq::trainer::algorithms::trees
