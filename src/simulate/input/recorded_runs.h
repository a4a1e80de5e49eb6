// A workload made from the records of real trainings: each table of losses in a directory is a job.
#pragma once

#include <string>

#include "base/result.h"
#include "simulate/input/trace.h"
#include "simulate/input/workload.h"

namespace slaq::simulate {

struct RecordedRuns {
  TraceColumns columns = {};
  LossMode mode = LossMode::Minimize;
  Cores cores{16000};  // shared by the jobs
  Seconds interarrival{15};
  double cpuSeconds = 60;  // of each iteration, shared by all workers
};

// Reads the files *.csv of the directory by name; each is a job with the file's name. A file with several
// jobs, as slaq run --losses writes it, counts as several. Invalid with a sentence where there is no such
// file, or where one is not a table of losses.
Result<Workload> recordedWorkload(const std::string& directory, const RecordedRuns& runs);

}  // namespace slaq::simulate
