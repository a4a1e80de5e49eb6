// The whole run of one job's loss as it was seen, for the figures at the end.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "ports/loss_source.h"

namespace slaq::cli::run {

class LossRecord {
 public:
  // When there are more samples than this, every second one is dropped.
  static constexpr std::size_t kMost = 16'384;

  // Takes a sample that is newer than the last one and can be used; overlaps are ignored. Whether it was
  // taken.
  bool add(const LossSample& sample);

  std::span<const LossSample> samples() const { return samples_; }

 private:
  std::vector<LossSample> samples_;
};

// For each share the time from `start` until the loss was down by that share of what this run took off in
// all, its first loss minus its last (section 6.2 of the paper). Nothing where that was never seen, or where
// the loss didn't fall by more than its noise explains. A metric that is to rise does so in its place.
std::vector<std::optional<Seconds>> timesToReduction(std::span<const LossSample> samples, LossMode mode,
                                                     Time start, std::span<const double> shares);

// Hands another source's answers on and records them.
class RecordingSource final : public LossSource {
 public:
  using Tell = std::function<void(const JobKey&, const LossSample&)>;

  // Both must outlive this. `tell` hears of each sample that is recorded, when it comes.
  explicit RecordingSource(LossSource& source, Tell tell = {}) : source_(source), tell_(std::move(tell)) {}

  Result<LossReport> collect(const std::vector<LossRequest>& jobs, Time now) override;
  // Empty for a job that was never seen.
  LossRecord recordOf(const JobKey& job) const;
  // Why no loss of the job was ever read: what the source said most often, since a program that starts or
  // ends says something else for a moment. Empty where one was read, or nothing was said.
  std::string problemOf(const JobKey& job) const;

 private:
  LossSource& source_;
  Tell tell_;
  std::map<JobKey, LossRecord> records_;
  std::map<JobKey, std::map<std::string, int>> problems_;  // how often each was said
};

}  // namespace slaq::cli::run
