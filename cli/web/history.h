// The history of a page: `slaq web` reads out of Prometheus what happened before it was started.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/cluster/prometheus_history.h"
#include "kube/objects/training_job.h"
#include "page/moment.h"

namespace slaq::cli::web {

// The figures of a job at one time. A figure that Prometheus does not have is empty. Numbers are finite.
struct PastJob {
  std::optional<JobState> state = {};
  std::optional<double> loss = {};
  std::optional<double> iterations = {};
  std::optional<double> workers = {};         // that were ready
  std::optional<double> desiredWorkers = {};  // that were decided on
  std::optional<double> workerCores = {};     // of each of them
  std::optional<double> cores = {};           // of all its pods

  bool operator==(const PastJob&) const = default;
};

// One time of a range.
struct PastMoment {
  Time time;
  std::map<JobKey, PastJob> jobs = {};
  std::optional<double> capacity = {};  // cores
  std::optional<double> price = {};     // normalized loss per core-second
};

// The range that is read for a page of that many jobs. It begins `wanted` before `now` and ends a step before
// `now`; the more jobs there are, the longer are its steps.
cluster::Range rangeOf(Time now, Seconds wanted, std::size_t jobs);

// The jobs of a namespace, or of all where it is empty, at each time of the range from the first on at which
// there was one; empty if there was none. It ends with an error once `goesOn` returns false, which is asked
// between requests.
Result<std::vector<PastMoment>> historyOf(cluster::PrometheusHistory& prometheus, const std::string& ns,
                                          const cluster::Range& range, const std::function<bool()>& goesOn);

// Calls `add` with each of these times as a moment of the page. `now` holds the jobs that exist now, sorted
// by key. An earlier job may have had the same name: figures from before a job was created are that job's.
// After its end a job is told as it is now.
void tellHistory(const std::vector<PastMoment>& history, const std::vector<kube::objects::StoredJob>& now,
                 const std::function<void(const page::Moment&)>& add);

}  // namespace slaq::cli::web
