// What was before `slaq web` was started, out of a Prometheus that scrapes slaq's controller.
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

// What a job had at one time, as far as Prometheus knows it. Numbers are finite.
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

// So long a time up to `now`, in steps that a page can hold of that many jobs. It ends a step before `now`.
cluster::Range rangeOf(Time now, Seconds wanted, std::size_t jobs);

// The jobs of a namespace, or of all where it is empty, at each time of the range from the first on at which
// there was one; empty if there was none. It ends with an error once `goesOn` returns false, which is asked
// between requests.
Result<std::vector<PastMoment>> historyOf(cluster::PrometheusHistory& prometheus, const std::string& ns,
                                          const cluster::Range& range, const std::function<bool()>& goesOn);

// Calls `add` with each of these times as a moment of the page. `now` are the jobs that there are, sorted by
// key. What had a job's name before it was created is another job, and after its end a job is as it is now.
void tellHistory(const std::vector<PastMoment>& history, const std::vector<kube::objects::StoredJob>& now,
                 const std::function<void(const page::Moment&)>& add);

}  // namespace slaq::cli::web
