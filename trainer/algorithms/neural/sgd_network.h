// A network trained by gradient descent with momentum on mini-batches: the loss is noisy, for it is the
// mini-batch's, and not convex.
#pragma once

#include "trainer/algorithms/minibatch.h"
#include "trainer/algorithms/neural/learning_rate.h"
#include "trainer/algorithms/neural/network.h"

namespace slaq::trainer::algorithms::neural {

struct SgdSettings {
  LearningRate rate;
  double momentum = 0;
  double l2 = 0;
  double smoothing = 0;  // share of a reported loss that is the one before's
};

// The state is the iteration, then the network's parameters. A partial result, over the rows of the
// mini-batch: the gradient's sum, the loss's sum, their number.
class SgdNetwork final : public Algorithm {
 public:
  SgdNetwork(NetworkShape shape, const SgdSettings& settings, const data::Vector& first);

  const data::Vector& state() const override { return state_; }
  Eigen::Index partialSize() const override { return shape_.parameters() + 2; }
  Outcome fold(const data::Vector& total) override;
  void archive(io::Archive& fields) override;

 private:
  double reported(double loss);

  NetworkShape shape_;
  SgdSettings settings_;
  data::Vector state_;
  data::Vector step_;
  double smoothed_ = 0;
};

class SgdNetworkKernel final : public Kernel {
 public:
  SgdNetworkKernel(NetworkShape shape, Batches batches) : shape_(std::move(shape)), batches_(batches) {}
  data::Vector partial(const data::Chunk& chunk, const data::Vector& state) const override;

 private:
  NetworkShape shape_;
  Batches batches_;
};

}  // namespace slaq::trainer::algorithms::neural
