// The losses of jobs, thinned out evenly, for a picture of each and for figures of whole runs.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "ports/loss_source.h"

namespace slaq::cli::api {

// The losses of one job. When there are more than `most`, only every second one stays, and from then on only
// every second one is added; the first and the newest always stay.
class LossCurve {
 public:
  explicit LossCurve(std::size_t most) : most_(most) {}

  // Adds a loss if it is a number, newer than the last one, and another iteration or loss. Returns true if
  // it was added.
  bool add(const LossSample& sample);
  std::span<const LossSample> samples() const { return samples_; }

 private:
  void thin();

  std::size_t most_;
  std::size_t added_ = 0;
  std::size_t stride_ = 1;  // all samples but the newest are so many additions apart
  std::vector<LossSample> samples_;
};

// The losses of a server's jobs. Any thread may call it.
class LossCurves {
 public:
  static constexpr std::size_t kMost = 400;  // of a job; 16 KB

  // Begins a new curve if `uid` is not that of the job's earlier losses: another job has the name now.
  void add(const JobKey& job, const std::string& uid, const LossSample& sample);
  void forgetAllBut(const std::function<bool(const JobKey&)>& exists);
  // Ascending in time; empty for a job without losses.
  std::vector<LossSample> of(const JobKey& job) const;

 private:
  struct OfAJob {
    std::string uid;
    LossCurve curve{kMost};
  };
  mutable std::mutex mutex_;
  std::map<JobKey, OfAJob> jobs_;
};

}  // namespace slaq::cli::api
