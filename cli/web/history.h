// The history of a page: `slaq web` reads from Prometheus what happened before it was started.
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
  std::optional<double> workers = {};         // ready workers
  std::optional<double> desiredWorkers = {};  // decided workers
  std::optional<double> workerCores = {};     // of each worker
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

// The range to read for a page of this number of jobs. It begins `wanted` before `now` and ends a step before
// `now`; its steps are longer if there are more jobs.
cluster::Range rangeOf(Time now, Seconds wanted, std::size_t jobs);

// The jobs of a namespace, or of all if `ns` is empty, at each time of the range, beginning with the first
// time that has a job. Empty if there was no job. Between requests `goesOn` is called; once it returns false,
// this ends with an error.
Result<std::vector<PastMoment>> historyOf(cluster::PrometheusHistory& prometheus, const std::string& ns,
                                          const cluster::Range& range, const std::function<bool()>& goesOn);

// Calls `add` with each of these times as a moment of the page. `now` has the existing jobs, sorted by key.
// An earlier job may have had the same name: figures from before a job was created belong to that earlier
// job. After its end a job is shown as it is now.
void tellHistory(const std::vector<PastMoment>& history, const std::vector<kube::objects::StoredJob>& now,
                 const std::function<void(const page::Moment&)>& add);

}  // namespace slaq::cli::web
