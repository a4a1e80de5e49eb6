// The figures at the end of `slaq run`: how fast each job's loss fell, and how policies compare.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "job/job.h"
#include "job/status.h"
#include "page/document.h"
#include "ports/loss_source.h"

namespace slaq::cli::run {

// The shares of a job's own loss reduction whose times are told.
inline constexpr std::array<double, 3> kShares = {0.5, 0.9, 0.95};

struct JobResult {
  JobKey key;
  JobState state = JobState::Pending;
  // From arrival to kShares of the reduction, and to completion.
  std::array<std::optional<Seconds>, kShares.size() + 1> times;
  std::string failure;                  // why it failed, and what its chief said last
  std::vector<LossSample> losses = {};  // as they were seen
  bool needsLoss = true;                // it takes part by Quality
  bool exportsLoss = true;              // its program does, and not slaq-report
  std::string problem = {};             // why there are none, if that is known
  std::vector<std::string> hints = {};  // what its owner probably wants to change
  int restarts = 0;                     // of its chief, after failures
  std::string lastFailure = {};         // how the chief ended before the last of them
};

struct RunResult {
  std::string policy;
  std::vector<JobResult> jobs;
  bool interrupted = false;
};

// One table of all jobs with the means of those that got so far.
std::string summaryOf(const RunResult& run);

// Two runs of the same jobs side by side, with the means over the jobs that got so far in both and their
// ratio, second to first.
std::string comparisonOf(const RunResult& first, const RunResult& second);

// How far each job came, and when, for a page.
std::map<JobKey, page::JobEnd> endsOf(const RunResult& run);

// A loss as a line of CSV, with the seconds since its run began. Columns as in lossCsvHeader().
std::string lossCsvHeader();
std::string lossCsvLine(std::string_view policy, const JobKey& job, Seconds since, const LossSample& sample);

// What the failed jobs said; empty if there are none.
std::string failuresOf(const RunResult& run);

// Which jobs exported no loss, and why; empty if all that need one did. Those that failed have more to mend.
std::string silentOf(const RunResult& run);

// Which jobs' chiefs were started again after failures, how often and why; empty if none was.
std::string restartsOf(const RunResult& run);

// What the owners of jobs probably want to change; empty if there is nothing.
std::string hintsOf(const RunResult& run);

}  // namespace slaq::cli::run
