#include "trainer/algorithms/neural/sgd_network.h"

namespace slaq::trainer {

SgdNetwork::SgdNetwork(NetworkShape shape, const SgdSettings& settings, const Vector& first)
    : shape_(std::move(shape)),
      settings_(settings),
      state_(first.size() + 1),
      step_(Vector::Zero(first.size())) {
  state_ << 0, first;
}

Outcome SgdNetwork::fold(const Vector& total) {
  const Eigen::Index size = step_.size();
  const double rows = total[size + 1];
  Vector gradient = total.head(size) / rows;
  const Vector parameters = state_.tail(size);
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

void SgdNetwork::archive(Archive& fields) {
  fields("state", state_), fields("step", step_), fields("smoothed", smoothed_);
}

Vector SgdNetworkKernel::partial(const Chunk& chunk, const Vector& state) const {
  const Eigen::Index size = state.size() - 1;
  const Network network(shape_, state.tail(size));
  const auto picked = batches_.pick(chunk.features.rows(), static_cast<std::int64_t>(state[0]));
  const Matrix rows = chunk.features(picked, Eigen::all);
  const Floats classes = chunk.targets(picked);
  Vector sums = Vector::Zero(size + 2);
  forEachSlice(rows.rows(), [&](Eigen::Index first, Eigen::Index count) {
    sums[size] +=
        network.addGradient(rows.middleRows(first, count), classes.segment(first, count), sums.head(size));
  });
  sums[size + 1] = static_cast<double>(rows.rows());
  return sums;
}

}  // namespace slaq::trainer
