// Remembers what was read of each job, and decides in which order groups of jobs are asked for. Pure.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "ports/loss_source.h"
#include "prometheus/query_groups.h"

namespace slaq::prom {

struct Reading {
  std::string uid;
  std::string metric;
  std::string iterationMetric;
  GroupSize size = {};
  bool hasFailed = false;              // the last request for it
  std::uint64_t asked = 0;             // the call that asked for it last, or the one before its first
  Time since = {};                     // the start of the range that was read last
  std::optional<Time> until = {};      // its end
  std::optional<Time> counted = {};    // when its series were counted last
  std::optional<double> tooMany = {};  // the number of its series, if it is not read because of them

  bool isOf(const LossRequest& job) const;
  bool needsHistory(const LossRequest& job, Time rawFrom) const;
  bool mayBeCounted(Time now) const;
};

using Readings = std::map<JobKey, Reading>;

// Keeps the readings of these jobs, and adds those of new jobs, before the call that follows `calls` others.
// A job with another uid or other metrics gets a new reading with the turn and the size of the one before.
Readings readingsOf(const std::vector<LossRequest>& jobs, Readings before, std::uint64_t calls);

// Groups for raw samples, none from before `rawFrom`. Groups that failed the last time come last. Among the
// others, and among those, the groups that were asked for longest ago come first. REQUIRES: there is a
// reading of each job.
std::vector<Requests> groupsInTurn(const Requests& jobs, const Readings& readings, Time now, Time rawFrom);

}  // namespace slaq::prom
