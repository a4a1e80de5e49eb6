// Divides jobs into groups, each of which has one query. Pure.
#pragma once

#include <cstddef>
#include <vector>

#include "ports/loss_source.h"
#include "prometheus/queries.h"

namespace slaq::prom {

// A group's answer has at most 200 points of each series, or the samples of some 75 s: a few megabytes.
inline constexpr std::size_t kMostJobsOfAGroup = 200;

// How many jobs may share a query with one job. After a failed query it is half the number of jobs in that
// query. So a job that makes queries fail is asked for alone in the end. A plain value.
class GroupSize {
 public:
  std::size_t jobs() const { return jobs_; }
  // REQUIRES: jobs > 0.
  void failed(std::size_t jobs, Time now);
  // Doubles the number if it has stood for a minute.
  void answered(Time now);

 private:
  std::size_t jobs_ = kMostJobsOfAGroup;
  Time changed_;
};

struct GroupMember {
  const LossRequest* job = nullptr;
  Seconds age;  // from the oldest sample that is asked for until now
  std::size_t mostJobs = kMostJobsOfAGroup;
};

// Only jobs whose ages lie within a factor of four share a query. So a job that was silent for long does not
// lengthen the answer for all others, and one step suits all histories. Jobs that want their initial loss
// share no query with others, whose answers would grow by half. The youngest jobs come first.
std::vector<Requests> groupsOf(const std::vector<GroupMember>& members);

}  // namespace slaq::prom
