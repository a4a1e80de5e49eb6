#include "trainer/algorithms/neural/sgd_network.h"

namespace slaq::trainer::algorithms::neural {

SgdNetwork::SgdNetwork(NetworkShape shape, const SgdSettings& settings, const data::Vector& first)
    : shape_(std::move(shape)),
      settings_(settings),
      state_(first.size() + 1),
      step_(data::Vector::Zero(first.size())) {
  state_ << 0, first;
}

Outcome SgdNetwork::fold(const data::Vector& total) {
  const Eigen::Index size = step_.size();
  const double rows = total[size + 1];
  data::Vector gradient = total.head(size) / rows;
  const data::Vector parameters = state_.tail(size);
  const double loss = total[size] / rows + addPenalty(shape_, settings_.l2, parameters, gradient);
  const auto iteration = static_cast<std::int64_t>(state_[0]);
  const Outcome outcome{reported(loss), false};
  step_ = settings_.momentum * step_ - settings_.rate.at(iteration) * gradient;
  state_ << static_cast<double>(iteration + 1), parameters + step_;
  return outcome;
}

double SgdNetwork::reported(double loss) {
  smoothed_ = state_[0] == 0 ? loss : settings_.smoothing * smoothed_ + (1 - settings_.smoothing) * loss;
  return smoothed_;
}

void SgdNetwork::archive(io::Archive& fields) {
  fields("state", state_), fields("step", step_), fields("smoothed", smoothed_);
}

data::Vector SgdNetworkKernel::partial(const data::Chunk& chunk, const data::Vector& state) const {
  const Eigen::Index size = state.size() - 1;
  const Network network(shape_, state.tail(size));
  const auto picked = batches_.pick(chunk.features.rows(), static_cast<std::int64_t>(state[0]));
  const data::Matrix rows = chunk.features(picked, Eigen::all);
  const data::Floats classes = chunk.targets(picked);
  data::Vector sums = data::Vector::Zero(size + 2);
  data::forEachSlice(rows.rows(), [&](Eigen::Index first, Eigen::Index count) {
    sums[size] +=
        network.addGradient(rows.middleRows(first, count), classes.segment(first, count), sums.head(size));
  });
  sums[size + 1] = static_cast<double>(rows.rows());
  return sums;
}

}  // namespace slaq::trainer::algorithms::neural
