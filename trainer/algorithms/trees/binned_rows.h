// The rows of a chunk as the trees see them: features as bins, and what the model predicts so far. It
// follows the model as that grows, so that a round costs one tree, not all of them.
#pragma once

#include "trainer/algorithms/algorithm.h"
#include "trainer/algorithms/trees/boosting_loss.h"
#include "trainer/algorithms/trees/boosting_round.h"
#include "trainer/algorithms/trees/split.h"

namespace slaq::trainer::algorithms::trees {

class BinnedRows {
 public:
  // Brings the predictions to the round's model; the chunk must always be the same. The result does not
  // depend on what was followed before.
  void follow(const data::Matrix& features, const GrowingRound& round, std::int64_t bins);

  const data::Floats& predictions() const { return predictions_; }

  // For each wanted node the histogram of its rows.
  std::vector<Histogram> histograms(const GrowingRound& round, const Derivatives& derivatives,
                                    std::int64_t bins) const;

 private:
  void bin(const data::Matrix& features, const GrowingRound& round, std::int64_t bins);
  std::vector<std::vector<Eigen::Index>> rowsOfWanted(const GrowingRound& round) const;

  data::Vector model_;  // that the predictions are of
  Bins bins_;
  data::Floats predictions_;
};

}  // namespace slaq::trainer::algorithms::trees
