// The training as the driver sees it, without any network: rounds of partial results, folded in the order
// of the chunks, which are the iterations of the algorithm, until a rule ends them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "trainer/algorithms/algorithm.h"

namespace slaq::trainer::training {

struct StopRule {
  std::int64_t iterations = 1000;
  // Converged when the loss changed by less than this share in each of several iterations; 0 never.
  double tolerance = 1e-5;
};

// The loss after `iteration` completed iterations.
struct Progress {
  std::int64_t iteration = 0;
  double loss = 0;

  bool operator==(const Progress&) const = default;
};

enum class Ending {
  None,  // it goes on
  Converged,
  Exhausted,  // all iterations are done
  Diverged,   // the loss is not finite
};

class Training {
 public:
  Training(std::unique_ptr<algorithms::Algorithm> algorithm, std::int64_t chunks, StopRule stop);

  // Counts from 1; partial results of any other round are late.
  std::int64_t round() const { return round_; }
  const data::Vector& state() const { return algorithm_->state(); }
  std::int64_t chunks() const { return static_cast<std::int64_t>(partials_.size()); }
  Eigen::Index partialSize() const { return algorithm_->partialSize(); }
  Ending ending() const { return ending_; }
  // Nothing before the first round is over.
  const std::optional<Progress>& progress() const { return progress_; }

  enum class Step {
    Chunk,      // the round goes on
    Trial,      // the round is over, and no iteration with it
    Iteration,  // the round is over, and progress() is new
  };

  // Takes a chunk's partial result of this round.
  // REQUIRES: the chunk is still missing, the size is partialSize(), ending() is None.
  Step accept(std::int64_t chunk, data::Vector partial);

  // The loss before the first iteration. REQUIRES: progress().
  double initialLoss() const { return initialLoss_; }
  // Saves or loads all that the rounds so far have changed. To be called between two rounds, or before
  // partial results of the present one count for anything: they are not saved.
  void archive(io::Archive& fields);

 private:
  algorithms::Outcome fold();
  void judge(const algorithms::Outcome& outcome);
  Ending endingNow() const;

  std::unique_ptr<algorithms::Algorithm> algorithm_;
  StopRule stop_;
  std::vector<data::Vector> partials_;  // by chunk, empty while missing
  std::int64_t missing_;
  std::int64_t round_ = 1;
  std::optional<Progress> progress_;
  double initialLoss_ = 0;
  std::int64_t quietIterations_ = 0;
  bool settled_ = false;
  Ending ending_ = Ending::None;
};

}  // namespace slaq::trainer::training
