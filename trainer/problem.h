// What is trained, as one value: the driver has it from its flags and sends it to every worker, and the
// training data, the kernels and the first state all follow from it and from nothing else.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"

namespace slaq::trainer {

struct Problem {
  std::string algorithm;
  std::int64_t rows = 0;
  std::int64_t features = 0;
  std::int64_t clusters = 0;  // k-means only
  std::int64_t chunks = 64;   // fixed parts of the rows: the unit of work, whoever does it
  std::uint64_t seed = 1;
  double noise = 1;        // how much the data contradict the model, 1 being the usual
  double condition = 100;  // largest over smallest eigenvalue of the features' covariance
  double learningRate = 4;
  double l2 = 0;

  bool operator==(const Problem&) const = default;
};

// What no algorithm can train on is refused, with a sentence that says what to write.
Result<void> validate(const Problem& problem);

// Rounds for which a worker keeps the rows of a chunk that others compute now. Driver and workers both count
// by it.
inline constexpr std::int64_t kKeptRounds = 50;

struct RowRange {
  std::int64_t first = 0;
  std::int64_t count = 0;
};

// The rows of a chunk. Chunks differ by one row at most. REQUIRES: 0 <= chunk < problem.chunks.
RowRange rowsOf(const Problem& problem, std::int64_t chunk);

}  // namespace slaq::trainer
