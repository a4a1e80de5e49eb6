// The workers' half of gradient boosting: counts rows by cell, or sums derivatives of the loss by node,
// feature and bin.
#pragma once

#include "trainer/algorithms/trees/boosting.h"

namespace slaq::trainer {

class BoostingKernel final : public Kernel {
 public:
  explicit BoostingKernel(const BoostingSettings& settings) : settings_(settings) {}

  Vector partial(const Chunk& chunk, const Vector& state) const override;
  // Remembers the rows' bins and predictions.
  Vector partial(const Chunk& chunk, const Vector& state, std::unique_ptr<Memory>& memory) const override;

 private:
  Vector count(const Chunk& chunk, const CountingRound& round) const;

  BoostingSettings settings_;
};

}  // namespace slaq::trainer
