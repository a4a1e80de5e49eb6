// The driver's half of gradient boosting over histograms: some rounds find the bins of each feature, then
// each level of a tree is a round and each tree an iteration. The loss is the mean over the rows.
#pragma once

#include "trainer/algorithms/algorithm.h"
#include "trainer/algorithms/trees/boosting_loss.h"
#include "trainer/algorithms/trees/boosting_round.h"
#include "trainer/algorithms/trees/growth.h"

namespace slaq::trainer::algorithms::trees {

struct BoostingSettings {
  BoostingLoss loss = BoostingLoss::SquaredError;
  std::int64_t rows = 0;
  std::int64_t features = 0;
  std::int64_t trees = 0;
  int depth = 4;
  SplitRules rules;
};

class Boosting final : public Algorithm {
 public:
  explicit Boosting(const BoostingSettings& settings);

  const data::Vector& state() const override { return state_; }
  Eigen::Index partialSize() const override;
  Outcome fold(const data::Vector& total) override;
  void archive(io::Archive& fields) override;

 private:
  void foldCounts(const data::Vector& total);
  Outcome foldLevel(const data::Vector& total);
  void beginModel(const std::vector<std::vector<float>>& cuts, double mean);
  void finishTree();
  void ask();

  BoostingSettings settings_;
  int countings_ = 0;  // done
  std::vector<Cells> cells_;
  data::Vector model_;  // as in GrowingRound
  std::int64_t trees_ = 0;
  Growth growth_;
  data::Vector state_;
};

}  // namespace slaq::trainer::algorithms::trees
