// Mini-batches that every worker picks alike: as many rows of each chunk, and other rows in each iteration.
// An epoch visits each row once, in an order of its own.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <vector>

namespace slaq::trainer::algorithms {

struct Batches {
  std::uint64_t seed = 1;
  double share = 1;  // of the rows, at least one row of each chunk

  // The chunk's rows in the batch of this iteration, from 0. REQUIRES: rows > 0, 0 < share <= 1.
  std::vector<Eigen::Index> pick(Eigen::Index rows, std::int64_t iteration) const;
};

// Batches of about `size` of the `rows` rows.
inline Batches batchesOf(std::uint64_t seed, std::int64_t size, std::int64_t rows) {
  return {seed, size < rows ? static_cast<double>(size) / static_cast<double>(rows) : 1.0};
}

}  // namespace slaq::trainer::algorithms
