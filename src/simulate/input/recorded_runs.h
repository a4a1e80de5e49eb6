// A workload made of what trainings once recorded: each table of losses in a directory is a job.
#pragma once

#include <string>

#include "base/result.h"
#include "simulate/input/trace.h"
#include "simulate/input/workload.h"

namespace slaq::simulate {

struct RecordedRuns {
  TraceColumns columns = {};
  LossMode mode = LossMode::Minimize;
  Cores cores{16000};  // that the jobs share
  Seconds interarrival{15};
  double cpuSeconds = 60;  // that an iteration takes, shared by all workers
};

// The files *.csv of the directory by name, each a job that is called after its file; one that holds several
// jobs, as slaq run --losses writes it, is as many. Invalid with a sentence where there is none, or where one
// is no table of losses.
Result<Workload> recordedWorkload(const std::string& directory, const RecordedRuns& runs);

}  // namespace slaq::simulate
