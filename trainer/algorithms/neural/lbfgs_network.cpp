#include "trainer/algorithms/neural/lbfgs_network.h"

namespace slaq::trainer {

Outcome LbfgsNetwork::fold(const Vector& total) {
  Vector gradient = total.head(shape_.parameters()) / rows_;
  const double loss = total[total.size() - 1] / rows_ + addPenalty(shape_, l2_, state(), gradient);
  return outcomeOf(optimizer_.observe(loss, gradient), loss);
}

Vector LbfgsNetworkKernel::partial(const Chunk& chunk, const Vector& state) const {
  const Network network(shape_, state);
  Vector sums = Vector::Zero(state.size() + 1);
  forEachSlice(chunk.features.rows(), [&](Eigen::Index first, Eigen::Index count) {
    sums[state.size()] += network.addGradient(chunk.features.middleRows(first, count),
                                              chunk.targets.segment(first, count), sums.head(state.size()));
  });
  return sums;
}

}  // namespace slaq::trainer
