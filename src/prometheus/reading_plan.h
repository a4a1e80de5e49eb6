// Decides which jobs share the query for raw samples and which are asked for by their names. Pure.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "ports/loss_source.h"
#include "prometheus/crowds.h"
#include "prometheus/queries.h"

namespace slaq::prom {

// The jobs in namespaces of crowds, by namespace, and all other jobs.
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

  // How far back the samples of these jobs are to be read, but no further than `furthest`.
  Seconds reachOf(const Requests& jobs) const;
};

struct ReadingPlan {
  Requests together;  // jobs that share the query for all namespaces without a crowd
  Requests fresh;     // new jobs that have shown nothing yet; one query asks for their names
  // Groups, each with a query for its names:
  std::vector<Requests> crowded;   // neighbours of crowds
  std::vector<Requests> starting;  // older jobs whose chief runs and has shown nothing yet
  std::vector<Requests> silent;    // jobs that were silent for long
};

// Most jobs need only the samples since the last reading. So jobs that were silent for long are asked for
// apart. So are jobs that have shown nothing yet, because only they need the initial loss, a third of an
// answer. If too many jobs are new, they share the query of the others; if too many are silent, one query
// asks for all jobs where its answer is small. Jobs that start have groups of their own. So they need not
// wait for thousands of jobs that may be silent for ever.
ReadingPlan planOf(const Requests& jobs, const Crowds& crowds, const ReadingTimes& times);

}  // namespace slaq::prom
