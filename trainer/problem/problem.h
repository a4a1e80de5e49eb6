// What is trained, as one value: the driver has it from its flags and sends it to every worker, and the
// training data (unless they come from a file), the kernels and the first state all follow from it and from
// nothing else.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "trainer/problem/settings.h"

namespace slaq::trainer::problem {

struct Problem {
  std::string algorithm;
  std::string data;           // a generator's name or a file's format; the algorithm's usual data if empty
  std::int64_t rows = 0;      // or documents
  std::int64_t features = 0;  // or words in the vocabulary
  std::int64_t classes = 0;   // that the data distinguish; 0 if targets are real numbers or absent
  std::int64_t chunks = 64;   // fixed parts of the rows: the unit of work, whoever does it
  std::uint64_t seed = 1;
  std::uint32_t checksum = 0;  // of the rows of a file
  Settings settings;           // the algorithm's and the data's own

  bool operator==(const Problem&) const = default;
};

template <class Io>
void fields(Io& io, Problem& p) {
  io(p.algorithm), io(p.data), io(p.rows), io(p.features), io(p.classes), io(p.chunks), io(p.seed);
  io(p.checksum), io(p.settings);
}

// The most numbers that a state or a partial result may have: each travels as one message, whose size is
// limited.
inline constexpr double kMostNumbers = 4e6;

// What no algorithm can train on is refused, with a sentence that says what to write.
Result<void> validateSizes(const Problem& problem);

// Rounds for which a worker keeps the rows of a chunk that others compute now. Driver and workers both count
// by it.
inline constexpr std::int64_t kKeptRounds = 50;

struct RowRange {
  std::int64_t first = 0;
  std::int64_t count = 0;
};

// The rows of a chunk. Chunks differ by one row at most. REQUIRES: 0 <= chunk < problem.chunks.
RowRange rowsOf(const Problem& problem, std::int64_t chunk);

}  // namespace slaq::trainer::problem
