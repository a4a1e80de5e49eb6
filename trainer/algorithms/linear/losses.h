// The losses of the linear models, as functions of predictions and targets: each adds up the loss of some
// rows and gives its slope for each.
#pragma once

#include "trainer/data/chunk.h"

namespace slaq::trainer::algorithms::linear {

// Half the squared residual.
struct SquaredLoss {
  double operator()(const data::Floats& predictions, const data::Floats& targets,
                    data::Floats& slopes) const {
    slopes = predictions - targets;
    return 0.5 * slopes.cast<double>().squaredNorm();
  }
};

// log(1 + exp(-margin)), for targets of -1 and 1.
struct LogisticLoss {
  double operator()(const data::Floats& predictions, const data::Floats& targets,
                    data::Floats& slopes) const {
    const Eigen::ArrayXf margins = predictions.array() * targets.array();
    // Written with exp(-|m|), neither the loss nor its slope can overflow.
    const Eigen::ArrayXf decay = (-margins.abs()).exp();
    slopes = -targets.array() * ((margins > 0).select(decay, 1.0f) / (1.0f + decay));
    return ((-margins).max(0.0f) + (1.0f + decay).log()).cast<double>().sum();
  }
};

// max(0, 1 - margin), or half its square, for targets of -1 and 1.
struct HingeLoss {
  bool squared = false;

  double operator()(const data::Floats& predictions, const data::Floats& targets,
                    data::Floats& slopes) const {
    const Eigen::ArrayXf lacks = (1.0f - predictions.array() * targets.array()).max(0.0f);
    if (squared) {
      slopes = -targets.array() * lacks;
      return 0.5 * lacks.cast<double>().square().sum();
    }
    slopes = -targets.array() * (lacks > 0.0f).cast<float>();
    return lacks.cast<double>().sum();
  }
};

}  // namespace slaq::trainer::algorithms::linear
