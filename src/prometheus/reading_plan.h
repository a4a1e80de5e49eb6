// Which jobs share the query for raw samples, and which are asked for by their names. Pure.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "ports/loss_source.h"
#include "prometheus/crowds.h"
#include "prometheus/queries.h"

namespace slaq::prom {

// Those in namespaces of crowds, by namespace, and all others.
struct Divided {
  Divided(const Requests& jobs, const Crowds& crowds);

  Requests others;
  std::map<std::string, Requests> crowded;
};

struct ReadingTimes {
  Time now;
  Time before;  // when samples were last read; `now` if they never were
  Seconds scrapeInterval;
  Seconds furthest;  // no raw samples are read from further back

  // How far back the samples of these jobs are wanted, and no further than `furthest`.
  Seconds reachOf(const Requests& jobs) const;
};

struct ReadingPlan {
  Requests together;  // jobs that share the query for all that are in no namespace of a crowd
  Requests fresh;     // jobs that are new and have shown nothing yet; one query asks for their names
  // Groups; a query asks for the names of each:
  std::vector<Requests> crowded;   // neighbours of crowds
  std::vector<Requests> starting;  // jobs that are older, whose chief runs and has shown nothing yet
  std::vector<Requests> silent;    // jobs that were silent for long
};

// What is read of most jobs is only what came since. So those that were silent for long are asked for apart,
// and those that have shown nothing yet, since a third of an answer is what only they need. Many of either
// are asked for with all others where that answer is small. Those that start have groups of their own, so
// that they need not wait for thousands that may be silent for ever.
ReadingPlan planOf(const Requests& jobs, const Crowds& crowds, const ReadingTimes& times);

}  // namespace slaq::prom
