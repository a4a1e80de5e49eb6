// A regression tree of fixed depth, stored level by level, over rows whose features are bins. Each row takes
// exactly `depth` steps, without a branch: a node that is not split sends every row to the left.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <vector>

namespace slaq::trainer::algorithms::trees {

using Bin = std::uint8_t;
using Bins = Eigen::Matrix<Bin, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

inline constexpr std::int64_t kMostBins = 256;
inline constexpr int kDeepest = 12;

struct Tree {
  static constexpr Bin kAll = 255;  // the highest bin there is

  struct Node {
    std::int32_t feature = 0;
    Bin lastLeft = kAll;  // rows with a higher bin go to the right

    bool operator==(const Node&) const = default;
  };

  explicit Tree(int depth)
      : depth(depth), nodes((std::size_t{1} << depth) - 1), leaves(std::size_t{1} << depth) {}

  int depth;
  std::vector<Node> nodes;    // the children of node i are 2i + 1 and 2i + 2
  std::vector<float> leaves;  // from left to right

  bool operator==(const Tree&) const = default;

  bool isSplit() const { return nodes.front().lastLeft != kAll; }
  Node& node(int level, std::size_t place) { return nodes[(std::size_t{1} << level) - 1 + place]; }
  // The leaf that is reached from there by going to the left.
  float& leftmostLeaf(int level, std::size_t place) { return leaves[place << (depth - level)]; }

  // Where a row stands after `level` steps, counted from the left.
  std::uint32_t placeOf(const Bin* row, int level) const {
    std::uint32_t place = 0;
    for (int step = 0; step < level; ++step) {
      const Node& here = nodes[(std::size_t{1} << step) - 1 + place];
      place = 2 * place + (row[here.feature] > here.lastLeft ? 1 : 0);
    }
    return place;
  }

  float valueFor(const Bin* row) const { return leaves[placeOf(row, depth)]; }

  // How many numbers write() makes and read() takes.
  static Eigen::Index sizeOf(int depth) { return (Eigen::Index{3} << depth) - 2; }
  void write(Eigen::Ref<Eigen::VectorXd> numbers) const;
  static Tree read(int depth, const Eigen::Ref<const Eigen::VectorXd>& numbers);
};

}  // namespace slaq::trainer::algorithms::trees
