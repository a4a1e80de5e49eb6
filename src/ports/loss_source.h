// The port through which epochs read losses: from Prometheus, from pods directly, or from a simulation.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/units.h"
#include "job/job.h"
#include "job/view.h"

namespace slaq {

// Samples that were seen are asked for again over so long: sources round times and close ranges differently.
inline constexpr Seconds kSampleOverlap{2};

struct LossRequest {
  JobKey job;
  std::string uid;
  std::string metric;
  std::string iterationMetric;
  Time since;  // samples before it are of no interest: they were seen, or belong to another job
  std::optional<std::string>
      endpoint;            // where the chief can be scraped directly; empty while it does not run
  std::string query = {};  // the user's own PromQL in place of the metrics, both or none
  std::string iterationQuery = {};
  std::string pods = {};      // how their names begin, where the CPU time that they used is of interest
  bool isReported = false;    // slaq-report exports what it finds in the program's output or files
  bool wantsInitial = false;  // the loss before the first iteration is of interest; it may come in any case
};

// The samples of one job, ascending in time; overlaps with earlier answers are allowed.
struct JobLoss {
  std::vector<LossSample> samples = {};
  std::optional<std::string> problem = {};  // why there are none, if it is known: a sentence
  // Nothing is known of it yet: it was not its turn, or what was asked for it failed, as `problem` says. One
  // of the next calls will tell.
  bool waits = false;
  // With samples, where they are those of one of several series and nothing but the order of labels decided
  // which: a sentence that names the label.
  std::optional<std::string> notice = {};
  std::optional<CpuUse> cpuUsed = {};  // by all its pods, where it was asked for and is known
};

using LossReport = std::map<JobKey, JobLoss>;

// Where loss comes from. One thread calls it.
class LossSource {
 public:
  virtual ~LossSource() = default;
  // The samples of all jobs since what each asks for. An error means that nothing could be read at all.
  virtual Result<LossReport> collect(const std::vector<LossRequest>& jobs, Time now) = 0;
};

}  // namespace slaq
