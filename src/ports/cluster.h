// The port through which epochs see jobs and change them. A Kubernetes cluster, one machine, simulations and
// tests implement it; they know nothing of each other.
#pragma once

#include <cstddef>
#include <string>

#include "base/result.h"
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

// Where jobs live. One thread (the loop's) calls it, but for the writes below.
class Cluster {
 public:
  virtual ~Cluster() = default;

  // What is known now. Does not wait for a remote answer. Transient while the first picture is incomplete.
  virtual Result<ClusterView> observe() = 0;

  // The number of calls of apply() that may run at the same time. If that is more than one, so may half as
  // many of writeStatus() and one more; they may come from any threads at any time, and so may those of
  // record(). At the same time no two of apply() are about the same job, and no two of writeStatus(); one of
  // each may be.
  virtual std::size_t maxConcurrentWrites() const { return 1; }

  // Does one thing. Every action states an absolute goal, so doing it twice is harmless. On Conflict the
  // world has changed: observe and decide again.
  virtual Result<void> apply(const Action& action) = 0;

  // Replaces the status of the job with that uid. NotFound if there is none, be there another of its name.
  virtual Result<void> writeStatus(const JobKey& job, const std::string& uid, const JobStatus& status) = 0;

  // Best effort: an event that can't be recorded is lost.
  virtual void record(const JobKey& job, const Event& event) = 0;
};

}  // namespace slaq
