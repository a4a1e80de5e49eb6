// The two halves of a training algorithm. The kernel is the worker's: it computes a chunk's partial result
// from the broadcast state. The algorithm is the driver's: it folds the sum of all partial results into the
// next state and says what the loss was. Both are functions of the problem and its data alone, so that a
// training is the same whoever computes which chunk. Every chunk takes part in each round: a mini-batch is a
// part of each chunk's rows, drawn from seed, iteration and Chunk::index.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "trainer/data/chunk.h"
#include "trainer/io/archive.h"

namespace slaq::trainer::algorithms {

// What a kernel remembers of a chunk from one round to the next, to save work.
class Memory {
 public:
  virtual ~Memory() = default;
};

class Kernel {
 public:
  virtual ~Kernel() = default;
  // Summed over all chunks it is what Algorithm::fold takes.
  virtual data::Vector partial(const data::Chunk& chunk, const data::Vector& state) const = 0;
  // The same, bit for bit. `memory` is empty at first, and each chunk has one of its own.
  virtual data::Vector partial(const data::Chunk& chunk, const data::Vector& state,
                               std::unique_ptr<Memory>& memory) const {
    static_cast<void>(memory);
    return partial(chunk, state);
  }
};

// What one round over all the rows has shown.
struct Outcome {
  // The loss at the state that was broadcast, if that state ends an iteration (or is the first); a trial
  // step of a line search ends none.
  std::optional<double> loss;
  bool settled = false;  // no further round can lower the loss
};

class Algorithm {
 public:
  virtual ~Algorithm() = default;
  // What the kernels need in this round.
  virtual const data::Vector& state() const = 0;
  virtual Eigen::Index partialSize() const = 0;
  // `total` is the sum of the partial results of all chunks at state(); moves on to the next state.
  virtual Outcome fold(const data::Vector& total) = 0;
  // Saves or loads all that fold() changes: one that is loaded, made for the same problem, goes on bit for
  // bit. It may be called between any two rounds.
  virtual void archive(io::Archive& fields) = 0;
};

}  // namespace slaq::trainer::algorithms
