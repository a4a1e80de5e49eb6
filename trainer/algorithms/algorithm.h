// The two halves of a training algorithm. The kernel is the worker's: it makes the rows of a chunk and
// computes that chunk's partial result from the broadcast state. The algorithm is the driver's: it folds
// the sum of all partial results into the next state and says what the loss was. Both are functions of the
// problem alone, so that a training is the same whoever computes which chunk.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <optional>

namespace slaq::trainer {

// Rows are stored as floats and sums kept as doubles.
using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Floats = Eigen::VectorXf;
using Vector = Eigen::VectorXd;

struct Chunk {
  Matrix features;  // one row for each example
  Floats targets;   // empty if nothing is to be predicted
};

class Kernel {
 public:
  virtual ~Kernel() = default;
  virtual Chunk generate(std::int64_t chunk) const = 0;
  // Summed over all chunks it is what Algorithm::fold takes.
  virtual Vector partial(const Chunk& chunk, const Vector& state) const = 0;
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
  virtual const Vector& state() const = 0;
  virtual Eigen::Index partialSize() const = 0;
  // `total` is the sum of the partial results of all chunks at state(); moves on to the next state.
  virtual Outcome fold(const Vector& total) = 0;
};

}  // namespace slaq::trainer
