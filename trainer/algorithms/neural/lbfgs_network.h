// A network trained by L-BFGS: a round over all rows for each evaluation.
#pragma once

#include "trainer/algorithms/lbfgs.h"
#include "trainer/algorithms/neural/network.h"

namespace slaq::trainer::algorithms::neural {

// The state is the network's parameters. A partial result: the gradient's sum, then the loss's sum.
class LbfgsNetwork final : public Algorithm {
 public:
  LbfgsNetwork(NetworkShape shape, double l2, std::int64_t rows, data::Vector first)
      : shape_(std::move(shape)), l2_(l2), rows_(static_cast<double>(rows)), optimizer_(std::move(first)) {}

  const data::Vector& state() const override { return optimizer_.point(); }
  Eigen::Index partialSize() const override { return shape_.parameters() + 1; }
  Outcome fold(const data::Vector& total) override;
  void archive(io::Archive& fields) override { optimizer_.archive(fields); }

 private:
  NetworkShape shape_;
  double l2_;
  double rows_;
  Lbfgs optimizer_;
};

class LbfgsNetworkKernel final : public Kernel {
 public:
  explicit LbfgsNetworkKernel(NetworkShape shape) : shape_(std::move(shape)) {}
  data::Vector partial(const data::Chunk& chunk, const data::Vector& state) const override;

 private:
  NetworkShape shape_;
};

}  // namespace slaq::trainer::algorithms::neural
