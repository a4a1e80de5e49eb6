// The jobs of a server on one machine, as its clients see them and change them.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "base/result.h"
#include "job/job.h"
#include "ports/loss_source.h"

namespace slaq::cli::api {

// The process that asks, as the kernel reports it.
struct Peer {
  uid_t user = 0;
  gid_t group = 0;
};

// A TrainingJob with its status, as JSON.
struct ServedJob {
  JobKey key;
  std::string uid;
  std::string document;
};

// An event of a job, as JSON (v1 Event).
struct ServedEvent {
  JobKey job;
  std::string uid;  // the job's
  std::string document;
};

// Any thread may call it.
class ServedJobs {
 public:
  virtual ~ServedJobs() = default;

  virtual std::vector<ServedJob> jobs() const = 0;      // sorted by key
  virtual std::vector<ServedEvent> events() const = 0;  // the oldest first
  // Some hundred of its losses, ascending in time. Empty for a job without losses, and for one that is
  // unknown.
  virtual std::vector<LossSample> losses(const JobKey& job) const = 0;

  // Adds a manifest (YAML or JSON) of exactly one TrainingJob. Invalid: the manifest has a mistake, which the
  // message names. Conflict: a job has that name already.
  virtual Result<JobKey> submit(const Peer& by, const std::string& manifest) = 0;
  // Stops a job and removes it. NotFound, or Forbidden if it belongs to another user.
  virtual Result<void> stop(const Peer& by, const JobKey& job) = 0;
};

}  // namespace slaq::cli::api
