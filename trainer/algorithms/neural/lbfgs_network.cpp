#include "trainer/algorithms/neural/lbfgs_network.h"

namespace slaq::trainer::algorithms::neural {

Outcome LbfgsNetwork::fold(const data::Vector& total) {
  data::Vector gradient = total.head(shape_.parameters()) / rows_;
  const double loss = total[total.size() - 1] / rows_ + addPenalty(shape_, l2_, state(), gradient);
  return outcomeOf(optimizer_.observe(loss, gradient), loss);
}

data::Vector LbfgsNetworkKernel::partial(const data::Chunk& chunk, const data::Vector& state) const {
  const Network network(shape_, state);
  data::Vector sums = data::Vector::Zero(state.size() + 1);
  data::forEachSlice(chunk.features.rows(), [&](Eigen::Index first, Eigen::Index count) {
    sums[state.size()] += network.addGradient(chunk.features.middleRows(first, count),
                                              chunk.targets.segment(first, count), sums.head(state.size()));
  });
  return sums;
}

}  // namespace slaq::trainer::algorithms::neural
