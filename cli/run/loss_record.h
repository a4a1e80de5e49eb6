// All losses of one job that were seen during the run, for the figures at the end.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "cli/api/loss_curve.h"
#include "ports/loss_source.h"

namespace slaq::cli::run {

class LossRecord {
 public:
  static constexpr std::size_t kMost = 16'384;  // samples; beyond it they are thinned out

  // Adds a sample if decisions can use it, and if LossCurve takes it. Returns true if it was added.
  bool add(const LossSample& sample);

  std::span<const LossSample> samples() const { return curve_.samples(); }

 private:
  api::LossCurve curve_{kMost};
};

// For each share, the time from `start` until the loss had fallen by this share of the run's whole reduction:
// first minus last loss (section 6.2 of the paper). Empty if that was not seen, or if the loss didn't fall by
// more than its noise explains. A metric that rises is measured by its rise.
std::vector<std::optional<Seconds>> timesToReduction(std::span<const LossSample> samples, LossMode mode,
                                                     Time start, std::span<const double> shares);

// Passes on another source's answers and records them.
class RecordingSource final : public LossSource {
 public:
  using Tell = std::function<void(const JobKey&, const LossSample&)>;

  // Both must outlive this. `tell` is called with each sample that is recorded, when it comes.
  explicit RecordingSource(LossSource& source, Tell tell = {}) : source_(source), tell_(std::move(tell)) {}

  Result<LossReport> collect(const std::vector<LossRequest>& jobs, Time now) override;
  std::optional<LossSample> newestOf(const JobKey& job) const;
  // Empty for a job that was never seen.
  LossRecord recordOf(const JobKey& job) const;
  // Returns why no loss of the job can be used, such as NaN. The text is empty if one can be used, or if none
  // was read.
  std::string unusableOf(const JobKey& job) const;
  // Returns why the job has no record: unusableOf(), else the source's most frequent problem. A program that
  // starts or ends has other problems for a moment. The text is empty if there is a record, or no problem.
  std::string problemOf(const JobKey& job) const;

 private:
  LossSource& source_;
  Tell tell_;
  std::map<JobKey, LossRecord> records_;
  std::map<JobKey, std::string> unusable_;                 // what is wrong with its newest wrong sample
  std::map<JobKey, std::map<std::string, int>> problems_;  // the number of times that each occurred
};

}  // namespace slaq::cli::run
