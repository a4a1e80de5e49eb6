// The losses seen of one job: pairs (iteration, loss). They need not be consecutive, because a scrape sees
// one iteration in many. It keeps at most 64 pairs and thins out older ones, so that the whole run stays in
// view. It knows the job's normalizer (section 4.1).
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "base/units.h"

namespace slaq::forecast {

class LossSeries {
 public:
  static constexpr std::size_t kCapacity = 64;

  enum class Verdict {
    Added,
    Repeated,   // this iteration was seen before: nothing changes
    Unchanged,  // the loss was probably not computed again since the last pair: no pair is added
    NotFinite,  // NaN or infinite: nothing changes
    Restarted,  // the iteration went back: the trainer started again; the pairs that it repeats were dropped
  };

  // The change of the loss since the first one.
  enum class Change {
    None,  // none that its noise does not explain
    Fallen,
    Risen,
  };

  // A loss of validation data is computed in one iteration of many and exported in all of them. So a repeated
  // loss counts only once it has stayed for twice as long as any loss before.
  Verdict add(Iterations iteration, Loss loss);

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  // Pairs ascending by iteration, as two columns of the same length.
  std::span<const double> iterations() const { return {iterations_.data(), size_}; }
  std::span<const double> losses() const { return {losses_.data(), size_}; }

  // REQUIRES: not empty.
  Loss first() const { return Loss(first_); }
  Loss last() const { return Loss(losses_[size_ - 1]); }
  Iterations lastIteration() const { return Iterations(iterations_[size_ - 1]); }
  // Extremes of the losses of all pairs.
  double lowest() const { return lowest_; }
  double highest() const { return highest_; }

  // The largest decrease of the running minimum per iteration, "the largest change we have seen so far"
  // (section 4.1). It is robust against gaps, which blunt a change, and against spikes. 0 until the loss
  // fell.
  double largestDecrease() const { return largestDecrease_; }

  // The change from the first loss to the median of the newest quarter of the pairs. The noise is estimated
  // from how far losses lie above the line through both of their neighbours. Losses that repeat the one
  // before them are left out of that.
  Change change() const;

  // The iteration at which the loss was lowest so far; 0 without any.
  Iterations lowestAt() const { return Iterations(bestIteration_); }

  // Grows with every change: equal revisions mean equal content.
  std::uint64_t revision() const { return revision_; }
  // The number of times that the trainer started again.
  std::uint32_t restarts() const { return restarts_; }

 private:
  bool mayBeOldLoss(double iteration, double loss);
  void findChange();
  void forgetFrom(double iteration);
  void thin();
  void learnNormalizer(double iteration, double loss);
  void findExtremes();
  double noise() const;

  std::array<double, kCapacity> iterations_{};
  std::array<double, kCapacity> losses_{};
  std::size_t size_ = 0;
  double lowest_ = 0;  // of the pairs
  double highest_ = 0;
  double first_ = 0;
  double best_ = 0;
  double bestIteration_ = 0;
  double largestDecrease_ = 0;
  double changedAt_ = 0;       // the iteration of the first sample with the last loss,
  double seenAt_ = 0;          // and the iteration of the last sample
  double leastDistance_ = 0;   // between two samples, in iterations; 0: not known
  double longestStay_ = 0;     // the longest stay of a loss, in iterations; 0: not known
  std::size_t unchanged_ = 0;  // how often the last loss was seen again
  std::uint64_t revision_ = 0;
  std::uint32_t restarts_ = 0;
};

// The loss after an iteration that may lie between pairs: in a straight line over the logarithm of the
// iteration, counted from one before the first. Pairs are far apart where a job runs fast, and a straight
// line over the iteration would say that its loss falls late. Before the first pair it is the first loss,
// after the last pair the last. REQUIRES: columns of the same length, not empty, of rising iterations.
double interpolatedLoss(std::span<const double> iterations, std::span<const double> losses, double iteration);

}  // namespace slaq::forecast
