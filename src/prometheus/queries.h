// The queries for Prometheus: one batch of raw samples for all jobs, and the history in few points for jobs
// that this process does not know. Pure text; nothing is sent here.
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

// Limits one answer: a job may have a series for each of its pods.
inline constexpr std::size_t kJobsOfOneQuery = 100;

// Divides the jobs into groups that one query can ask for by their names.
std::vector<Requests> groupsOf(const Requests& jobs);

// The range of raw samples: in [now - reach, now], and not in these namespaces.
struct RawRange {
  Time now;
  Seconds reach;
  std::set<std::string> without = {};
};

// All raw samples of the jobs' metrics, including those of other jobs.
Query rawQuery(const Requests& jobs, const SeriesLabels& labels, const RawRange& range);
// The raw samples only of jobs with these names in these namespaces. REQUIRES: no more than kJobsOfOneQuery
// jobs.
Query rawQueryOf(const Requests& jobs, const SeriesLabels& labels, const RawRange& range);

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

// A query for jobs by their names.
struct GroupQuery {
  Query query;
  Requests jobs;
};

// At most 200 points for each job from its `since` to `end`. Jobs of similar age share a query, so that one
// step suits them all.
std::vector<GroupQuery> historyQueries(const Requests& jobs, const SeriesLabels& labels, Time end);

}  // namespace slaq::prom
