// Divides jobs into groups, each of which has one query. Pure.
#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include "ports/loss_source.h"
#include "prometheus/queries.h"

namespace slaq::prom {

// How many jobs may share a query. If the query for a group fails, half as many jobs may share a query with
// each of them, so that in the end a job that is the cause is asked for alone. The number doubles with each
// minute after that. One thread owns it.
class GroupSizes {
 public:
  // The largest group for this job.
  std::size_t of(const JobKey& job, Time now) const;
  void failed(const Requests& group, Time now);

 private:
  struct Failure {
    std::size_t jobs = 0;  // that may share a query at `time`
    Time time;

    std::size_t jobsAt(Time now) const;
  };
  std::map<JobKey, Failure> failures_;
};

// Only jobs whose ages at `now` lie within a factor of four share a query, so that a job that was silent for
// long does not lengthen everybody's answer, and so that one step suits the histories of all. Jobs that want
// their initial loss share no query with others, whose answers would grow by half. The youngest jobs come
// first.
std::vector<Requests> groupsOf(const Requests& jobs, const GroupSizes& sizes, Time now);

}  // namespace slaq::prom
