// The queries for Prometheus: raw samples, and a history in few points, of jobs by their names. Pure text;
// nothing is sent here.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "ports/loss_source.h"

namespace slaq::prom {

// The target labels that identify the job of a series. The pod label slaq.io/job becomes slaq_io_job.
struct SeriesLabels {
  std::string ns = "namespace";
  std::string job = "slaq_io_job";
  std::string uid = "slaq_io_job_uid";  // may be missing from the series
};

using Requests = std::vector<const LossRequest*>;

// The path of a request below the prefix, and its form.
struct Query {
  std::string path;
  std::string form;

  bool operator==(const Query&) const = default;
};

// Divides the jobs, in their order, into parts of at most `most` jobs. REQUIRES: most > 0.
std::vector<Requests> partsOf(const Requests& jobs, std::size_t most);

// The range of raw samples: [now - reach, now].
struct RawRange {
  Time now;
  Seconds reach;
};

// All raw samples of the jobs with these names in these namespaces.
Query rawQuery(const Requests& jobs, const SeriesLabels& labels, const RawRange& range);

// All raw samples of a metric, where each label matches one of its regular expressions.
Query rawQueryOfMetric(std::string_view metric, const std::map<std::string, std::set<std::string>>& labels,
                       const RawRange& range);

// The number of series of the jobs' metrics at `now` by job, for jobs that have more than `most`.
Query seriesCountQuery(const Requests& jobs, const SeriesLabels& labels, std::size_t most, Time now);

// A range of time, with a value at each step from its start to its end.
struct Steps {
  Time start;
  Time end;
  Seconds step;
};

// The step that gives at most 200 points, but no shorter than `least`; in whole milliseconds.
Seconds stepFor(Time start, Time end, Seconds least);
Query rangeQuery(std::string_view promql, const Steps& steps);

// At most 200 points for each job, from the oldest `since` to `end`.
Query historyQuery(const Requests& jobs, const SeriesLabels& labels, Time end);

}  // namespace slaq::prom
