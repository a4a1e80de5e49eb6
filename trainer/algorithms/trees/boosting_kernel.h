// The workers' half of gradient boosting: counts rows by cell, or sums derivatives of the loss by node,
// feature and bin.
#pragma once

#include "trainer/algorithms/trees/boosting.h"

namespace slaq::trainer::algorithms::trees {

class BoostingKernel final : public Kernel {
 public:
  explicit BoostingKernel(const BoostingSettings& settings) : settings_(settings) {}

  data::Vector partial(const data::Chunk& chunk, const data::Vector& state) const override;
  // Remembers the rows' bins and predictions.
  data::Vector partial(const data::Chunk& chunk, const data::Vector& state,
                       std::unique_ptr<Memory>& memory) const override;

 private:
  data::Vector count(const data::Chunk& chunk, const CountingRound& round) const;

  BoostingSettings settings_;
};

}  // namespace slaq::trainer::algorithms::trees
