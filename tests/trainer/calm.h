// A training without any network: every chunk in order, on this thread. What all others are compared with.
#pragma once

#include <utility>
#include <vector>

#include "trainer/algorithms/registry.h"
#include "trainer/training.h"

namespace slaq::trainer {

inline std::vector<Progress> trainCalmly(const Problem& problem, const StopRule& stop) {
  const Entry entry = entryFor(problem).value();
  const auto kernel = entry.makeKernel(problem);
  Training training(entry.makeAlgorithm(problem), problem.chunks, stop);
  std::vector<Chunk> rows;
  for (std::int64_t c = 0; c < problem.chunks; ++c) rows.push_back(kernel->generate(c));
  std::vector<Progress> curve;
  while (training.ending() == Ending::None) {
    const Vector state = training.state();
    for (std::int64_t c = 0; c < problem.chunks; ++c) {
      const auto step = training.accept(c, kernel->partial(rows[static_cast<std::size_t>(c)], state));
      if (step == Training::Step::Iteration) curve.push_back(*training.progress());
    }
  }
  return curve;
}

}  // namespace slaq::trainer
