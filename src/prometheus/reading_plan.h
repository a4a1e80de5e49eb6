// Which jobs share the query for raw samples, and which are asked for by their names. Pure.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "ports/loss_source.h"
#include "prometheus/crowds.h"

namespace slaq::prom {

using Requests = std::vector<const LossRequest*>;

// Those in namespaces of crowds, by namespace, and all others.
struct Divided {
  Divided(const Requests& jobs, const Crowds& crowds);

  Requests others;
  std::map<std::string, Requests> crowded;
};

// The jobs in groups that one query can ask for.
std::vector<Requests> groupsOf(const Requests& jobs);

struct ReadingTimes {
  Time now;
  Time before;  // when samples were last read; `now` if they never were
  Seconds scrapeInterval;
  Seconds furthest;  // no raw samples are read from further back

  // How far back the samples of these jobs are wanted, and no further than `furthest`.
  Seconds reachOf(const Requests& jobs) const;
};

struct ReadingPlan {
  Requests together;              // with one query for all jobs that are in no namespace of a crowd
  Requests fresh;                 // have shown nothing yet; with a query for their names
  std::vector<Requests> crowded;  // neighbours of crowds, by their names
  std::vector<Requests> silent;   // for long, by their names
};

// What is read of most jobs is only what came since. So those that were silent for long are asked for apart,
// and those that have shown nothing yet, since a third of an answer is what only they need. Many of either
// are asked for with all others where that answer is small.
ReadingPlan planOf(const Requests& jobs, const Crowds& crowds, const ReadingTimes& times);

}  // namespace slaq::prom
