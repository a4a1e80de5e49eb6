#include "trainer/algorithms/neural/network.h"

#include <cmath>

#include "trainer/data/random.h"

namespace slaq::trainer::algorithms::neural {
namespace {

template <class Visit>  // visit(inputs, outputs, offset of the weights)
void forEachLayer(const NetworkShape& shape, Visit visit) {
  Eigen::Index offset = 0;
  for (std::size_t i = 0; i < shape.layers(); ++i) {
    visit(shape.sizes[i], shape.sizes[i + 1], offset);
    offset += (shape.sizes[i] + 1) * shape.sizes[i + 1];
  }
}

// Turns the last layer's signals into the errors of its chances; returns the sum of the cross-entropies.
double softmaxErrors(data::Matrix& signals, const Eigen::Ref<const data::Floats>& classes) {
  signals.colwise() -= signals.rowwise().maxCoeff().eval();
  double loss = 0;
  for (Eigen::Index i = 0; i < signals.rows(); ++i) loss -= signals(i, static_cast<Eigen::Index>(classes[i]));
  signals = signals.array().exp();
  const data::Floats sums = signals.rowwise().sum();
  loss += sums.array().log().cast<double>().sum();
  signals.array().colwise() /= sums.array();
  for (Eigen::Index i = 0; i < signals.rows(); ++i) signals(i, static_cast<Eigen::Index>(classes[i])) -= 1;
  return loss;
}

}  // namespace

Eigen::Index NetworkShape::parameters() const {
  Eigen::Index count = 0;
  for (std::size_t i = 0; i < layers(); ++i) count += (sizes[i] + 1) * sizes[i + 1];
  return count;
}

data::Vector firstParameters(const NetworkShape& shape, data::Random& random) {
  data::Vector parameters = data::Vector::Zero(shape.parameters());
  forEachLayer(shape, [&](Eigen::Index inputs, Eigen::Index outputs, Eigen::Index offset) {
    const double bound = std::sqrt(6.0 / static_cast<double>(inputs + outputs));
    for (double& weight : parameters.segment(offset, inputs * outputs)) {
      weight = bound * (2 * random.uniform() - 1);
    }
  });
  return parameters;
}

double addPenalty(const NetworkShape& shape, double l2, const data::Vector& parameters,
                  data::Vector& gradient) {
  double penalty = 0;
  forEachLayer(shape, [&](Eigen::Index inputs, Eigen::Index outputs, Eigen::Index offset) {
    const auto weights = parameters.segment(offset, inputs * outputs);
    penalty += 0.5 * l2 * weights.squaredNorm();
    gradient.segment(offset, inputs * outputs) += l2 * weights;
  });
  return penalty;
}

Network::Network(const NetworkShape& shape, const data::Vector& parameters) : activation_(shape.activation) {
  forEachLayer(shape, [&](Eigen::Index inputs, Eigen::Index outputs, Eigen::Index offset) {
    const auto weights = parameters.segment(offset, inputs * outputs);
    layers_.push_back({weights.cast<float>().reshaped<Eigen::RowMajor>(inputs, outputs),
                       parameters.segment(offset + inputs * outputs, outputs).transpose().cast<float>(),
                       offset});
  });
}

double Network::addGradient(const Eigen::Ref<const data::Matrix>& rows,
                            const Eigen::Ref<const data::Floats>& classes,
                            Eigen::Ref<data::Vector> gradient) const {
  const std::vector<data::Matrix> outputs = activations(rows);
  data::Matrix errors = outputs.back();
  const double loss = softmaxErrors(errors, classes);
  for (std::size_t i = layers_.size(); i-- > 0;) {
    const Layer& layer = layers_[i];
    const data::Matrix slopes =
        i == 0 ? data::Matrix(rows.transpose() * errors) : data::Matrix(outputs[i - 1].transpose() * errors);
    gradient.segment(layer.offset, slopes.size()) += slopes.reshaped<Eigen::RowMajor>().cast<double>();
    gradient.segment(layer.offset + slopes.size(), errors.cols()) +=
        errors.colwise().sum().transpose().cast<double>();
    if (i == 0) break;
    errors = (errors * layer.weights.transpose()).eval();
    timesSlope(outputs[i - 1], errors);
  }
  return loss;
}

// What each layer gives to the next; of the last the signals before the softmax.
std::vector<data::Matrix> Network::activations(const Eigen::Ref<const data::Matrix>& rows) const {
  std::vector<data::Matrix> outputs;
  for (const Layer& layer : layers_) {
    data::Matrix signals =
        outputs.empty() ? data::Matrix(rows * layer.weights) : data::Matrix(outputs.back() * layer.weights);
    signals.rowwise() += layer.biases;
    if (&layer != &layers_.back()) activate(signals);
    outputs.push_back(std::move(signals));
  }
  return outputs;
}

void Network::activate(data::Matrix& signals) const {
  if (activation_ == Activation::Tanh) {
    signals = signals.array().tanh();
  } else {
    signals = signals.cwiseMax(0.0f);
  }
}

// Both slopes follow from the activated signal alone.
void Network::timesSlope(const data::Matrix& activated, data::Matrix& errors) const {
  if (activation_ == Activation::Tanh) {
    errors.array() *= 1.0f - activated.array().square();
  } else {
    errors.array() *= (activated.array() > 0).cast<float>();
  }
}

}  // namespace slaq::trainer::algorithms::neural
