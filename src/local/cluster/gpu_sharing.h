// Knows how much memory of a shared GPU trainings take, and so how many of them the GPU can hold. A worker is
// expected to take what it declares, or more if more was measured of its job. Without a declaration it is the
// most that was measured of its job, else of its kind, else of any job.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>

#include "job/view.h"
#include "local/processes/job_processes.h"
#include "local/system/gpu_memory.h"

namespace slaq::local::cluster {

// A job of the cluster, with its processes.
struct GpuSharer {
  const TrainingJob& job;
  processes::JobProcesses& processes;
};

// One thread calls it.
class GpuSharing {
 public:
  using Read = std::function<Result<system::GpuMemory>()>;

  // `first` is the first result of `read`. `read` is called again while a job waits, or while a running job
  // can be measured and was not yet, at most every two seconds.
  GpuSharing(system::GpuMemory first, Read read) : memory_(std::move(first)), read_(std::move(read)) {}

  // Returns the memory that is left. The peak of each job is noted in its goals too.
  SharedMemory look(std::span<const GpuSharer> jobs, Seconds now);
  // Returns the memory that all workers that the job may have will take; empty while nothing is known of it.
  std::optional<Mebibytes> needOf(const TrainingJob& job) const;
  // Notes how much memory one worker of the job has taken at a moment.
  void note(const TrainingJob& job, Mebibytes taken);
  // Forgets the job, but not what was learned of its kind.
  void forget(const JobKey& job);

 private:
  bool isMeasurable(const GpuSharer& sharer, Seconds now) const;
  void noteStanding(std::span<const GpuSharer> jobs, Seconds now);
  void read(std::span<const GpuSharer> jobs, Seconds now);
  Mebibytes promisedTo(std::span<const GpuSharer> jobs) const;
  Mebibytes takenBy(std::span<const GpuSharer> jobs) const;

  system::GpuMemory memory_;  // at the last reading
  Read read_;
  Seconds nextReading_{0};
  Mebibytes ours_;  // the part of that reading's `used` that slaq's jobs have
  // The memory that other programs use. It is read while no job has processes. Before the first such reading
  // it is the memory in use minus the needs of the jobs that an earlier slaq left running.
  std::optional<Mebibytes> others_;
  std::map<JobKey, Seconds> standsSince_;
  std::map<JobKey, Mebibytes> byJob_;  // of one worker, here and below
  std::map<std::string, Mebibytes> byKind_;
  std::optional<Mebibytes> most_;
};

}  // namespace slaq::local::cluster
