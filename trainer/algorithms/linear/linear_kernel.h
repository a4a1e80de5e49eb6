// The kernel of every linear model: the state is the weights; a partial result is the sum of the losses'
// gradients, then the sum of the losses.
#pragma once

#include <utility>

#include "trainer/algorithms/algorithm.h"

namespace slaq::trainer::algorithms::linear {

// Rows as they are; another map makes other features of them first.
struct SameFeatures {
  auto operator()(const data::Matrix& rows, Eigen::Index first, Eigen::Index count) const {
    return rows.middleRows(first, count);
  }
};

template <class Loss, class Map = SameFeatures>
class LinearKernel final : public Kernel {
 public:
  explicit LinearKernel(Loss loss = {}, Map map = {}) : loss_(loss), map_(std::move(map)) {}

  data::Vector partial(const data::Chunk& chunk, const data::Vector& state) const override {
    const data::Floats weights = state.cast<float>();
    data::Vector sums = data::Vector::Zero(state.size() + 1);
    data::forEachSlice(chunk.features.rows(), [&](Eigen::Index first, Eigen::Index count) {
      const auto rows = map_(chunk.features, first, count);
      const data::Floats predictions = rows * weights;
      data::Floats slopes;
      sums[state.size()] += loss_(predictions, chunk.targets.segment(first, count), slopes);
      sums.head(state.size()) += (rows.transpose() * slopes).template cast<double>();
    });
    return sums;
  }

 private:
  Loss loss_;
  Map map_;
};

}  // namespace slaq::trainer::algorithms::linear
