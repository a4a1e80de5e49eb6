// The figures at the end of `slaq run`: how fast each job's loss fell, and a comparison of policies.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "job/job.h"
#include "job/status.h"
#include "page/document.h"
#include "ports/loss_source.h"

namespace slaq::cli::run {

// The shares of a job's own loss reduction whose times are shown.
inline constexpr std::array<double, 3> kShares = {0.5, 0.9, 0.95};

struct JobResult {
  JobKey key;
  JobState state = JobState::Pending;
  // The times from arrival to kShares of the reduction, and to completion.
  std::array<std::optional<Seconds>, kShares.size() + 1> times;
  std::string failure;                  // the reason, and the chief's last output
  std::vector<LossSample> losses = {};  // as they were seen
  bool needsLoss = true;                // it takes part by Quality
  bool exportsLoss = true;              // its program exports the loss, without slaq-report
  std::string problem = {};             // why there are no losses, if that is known
  std::vector<std::string> hints = {};  // changes that its owner probably wants to make
  int restarts = 0;                     // of its chief, after failures
  std::string lastFailure = {};         // how the chief ended before the last restart
  bool isStopped = false;               // by a user, before its end
};

struct RunResult {
  std::string policy;
  std::vector<JobResult> jobs;
  bool interrupted = false;
};

// One table of all jobs, with the means over the jobs that reached each figure.
std::string summaryOf(const RunResult& run);

// The jobs that a user stopped in one of two runs.
std::set<JobKey> stoppedIn(const RunResult& first, const RunResult& second);

// Two runs of the same jobs side by side, with the means over the jobs that reached a figure in both runs,
// and their ratio, second to first.
std::string comparisonOf(const RunResult& first, const RunResult& second);

// The times of each job's reductions and completion, for a page.
std::map<JobKey, page::JobEnd> endsOf(const RunResult& run);

// A loss as a line of CSV, with the seconds since its run began. Columns as in lossCsvHeader().
std::string lossCsvHeader();
std::string lossCsvLine(std::string_view policy, const JobKey& job, Seconds since, const LossSample& sample);

// The reasons and the last output of failed jobs; empty if there are none.
std::string failuresOf(const RunResult& run);

// The jobs that exported no loss, and why; empty if all that need one did. Failed jobs are left out, since
// their failure comes first.
std::string silentOf(const RunResult& run);

// The jobs whose chiefs were started again after failures, with the number and the reason; empty if there are
// none.
std::string restartsOf(const RunResult& run);

// The changes that the owners of jobs probably want to make; empty if there are none.
std::string hintsOf(const RunResult& run);

}  // namespace slaq::cli::run
