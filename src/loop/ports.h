// The ports through which the epoch loop sees and changes the world. A Kubernetes cluster, one machine
// and tests implement them; they know nothing of each other.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/units.h"
#include "job/action.h"
#include "job/view.h"

namespace slaq {

// Something that a user would want to be told, once.
struct Event {
  bool warning = false;
  std::string reason;   // CamelCase
  std::string message;  // a sentence

  bool operator==(const Event&) const = default;
};

// Where jobs live. One thread (the loop's) calls it.
class Cluster {
 public:
  virtual ~Cluster() = default;

  // What is known now. Does not wait for a remote answer. Transient while the first picture is incomplete.
  virtual Result<ClusterView> observe() = 0;

  // Does one thing. Every action states an absolute goal, so doing it twice is harmless. On Conflict the
  // world has changed: observe and decide again.
  virtual Result<void> apply(const Action& action) = 0;

  // Replaces the job's status.
  virtual Result<void> writeStatus(const JobKey& job, const JobStatus& status) = 0;

  // Best effort: an event that can't be recorded is lost.
  virtual void record(const JobKey& job, const Event& event) = 0;
};

// One observation of a trainer: the loss after `iteration` completed iterations, read at `time`.
struct LossSample {
  Time time;
  Iterations iteration;
  Loss loss;                         // may be NaN or infinite: the trainer's word is passed on
  std::optional<Loss> initial = {};  // before the first iteration, if the trainer exports it

  bool operator==(const LossSample&) const = default;
};

struct LossRequest {
  JobKey job;
  std::string uid;
  std::string metric;
  std::string iterationMetric;
  Time since;  // samples before it are of no interest: they were seen, or belong to another job
  std::optional<std::string> endpoint;  // where the chief can be scraped directly
  std::string query = {};               // the user's own PromQL in place of the metrics, both or none
  std::string iterationQuery = {};
};

// The samples of one job, ascending in time; overlaps with earlier answers are allowed.
struct JobLoss {
  std::vector<LossSample> samples;
  std::optional<std::string> problem;  // why there are none, if it is known: a sentence
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
