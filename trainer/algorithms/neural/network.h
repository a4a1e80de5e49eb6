// A fully connected network with a softmax at its end: the mean cross-entropy and its gradient. Parameters
// travel as one vector: of each layer the weights, one row for each input, then the biases.
#pragma once

#include <cstdint>
#include <vector>

#include "trainer/algorithms/algorithm.h"
#include "trainer/data/random.h"

namespace slaq::trainer::algorithms::neural {

enum class Activation { Tanh, Relu };

struct NetworkShape {
  std::vector<Eigen::Index> sizes;  // of the layers, the features first and the classes last
  Activation activation = Activation::Tanh;

  std::size_t layers() const { return sizes.size() - 1; }
  Eigen::Index parameters() const;
};

// Uniform weights of the variance that keeps signals and gradients alike in all layers (Glorot and Bengio
// 2010), and no biases. REQUIRES: uniform() is in [0, 1).
data::Vector firstParameters(const NetworkShape& shape, data::Random& random);

// Half the sum of the squared weights times l2, and its gradient added to `gradient`; biases are free.
double addPenalty(const NetworkShape& shape, double l2, const data::Vector& parameters,
                  data::Vector& gradient);

class Network {
 public:
  Network(const NetworkShape& shape, const data::Vector& parameters);

  // Adds the rows' sum of the gradients to `gradient` and returns the sum of their losses.
  double addGradient(const Eigen::Ref<const data::Matrix>& rows,
                     const Eigen::Ref<const data::Floats>& classes, Eigen::Ref<data::Vector> gradient) const;

 private:
  struct Layer {
    data::Matrix weights;
    Eigen::RowVectorXf biases;
    Eigen::Index offset = 0;  // among the parameters
  };

  std::vector<data::Matrix> activations(const Eigen::Ref<const data::Matrix>& rows) const;
  void activate(data::Matrix& signals) const;
  void timesSlope(const data::Matrix& activated, data::Matrix& errors) const;

  Activation activation_;
  std::vector<Layer> layers_;
};

}  // namespace slaq::trainer::algorithms::neural
