// Losses that outlive the program, in a CSV file for each job: after a restart the scheduler gets all of them
// again, as it gets them from Prometheus on a cluster.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "ports/loss_source.h"

namespace slaq::cli::store {

class KeptLosses final : public LossSource {
 public:
  // When there are more samples than this, every second one is dropped.
  static constexpr std::size_t kMost = 16'384;

  using Tell = std::function<void(const JobKey&, const std::string& uid, const LossSample&)>;

  // `source` outlives this. A file that can't be read counts as empty. `tell` is called with each loss that
  // is kept, also with those of an earlier program.
  KeptLosses(LossSource& source, std::filesystem::path directory, Tell tell = {})
      : source_(source), directory_(std::move(directory)), tell_(std::move(tell)) {}

  // Returns all losses of a job since the requested time: those that this program or an earlier one has read,
  // and the new ones of `source`.
  Result<LossReport> collect(const std::vector<LossRequest>& jobs, Time now) override;

  // Reads the losses of a job that an earlier program has kept. Without this, the first collect() reads them.
  void load(const JobKey& job, const std::string& uid) { keptOf({.job = job, .uid = uid}); }

  // Writes new losses, and removes the files of jobs that are not in `jobs`. The next call tries again what
  // fails.
  Result<void> save(const std::vector<JobKey>& jobs);

 private:
  struct Kept {
    std::string uid;
    std::vector<LossSample> samples;
    std::size_t written = 0;  // number of these samples in the file
  };

  Kept& keptOf(const LossRequest& request);
  void add(const JobKey& job, Kept& kept, const LossSample& sample);
  std::filesystem::path fileOf(const JobKey& job) const;
  Result<void> write(const JobKey& job, Kept& kept);

  LossSource& source_;
  const std::filesystem::path directory_;
  const Tell tell_;
  std::map<JobKey, Kept> kept_;
};

}  // namespace slaq::cli::store
