// The losses of a server's jobs, thinned out, for a picture of each.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <vector>

#include "ports/loss_source.h"

namespace slaq::cli::api {

// Any thread may call it.
class LossCurves {
 public:
  // Of a job, some 10 KiB. When there are more, every second one is dropped.
  static constexpr std::size_t kMost = 400;

  // REQUIRES: it is newer than the job's others.
  void add(const JobKey& job, const LossSample& sample);
  void forgetAllBut(const std::function<bool(const JobKey&)>& exists);
  // Ascending in time; empty for a job without losses.
  std::vector<LossSample> of(const JobKey& job) const;

 private:
  mutable std::mutex mutex_;
  std::map<JobKey, std::vector<LossSample>> losses_;
};

}  // namespace slaq::cli::api
