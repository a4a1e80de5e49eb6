// Knows how much memory of a shared GPU trainings take, and so how many of them the GPU can hold. A worker is
// expected to take what it declares. Otherwise it is expected to take the most that was measured of its job,
// or of its kind, or of any job.
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

// A job that is there, with its processes.
struct GpuSharer {
  const TrainingJob& job;
  processes::JobProcesses& processes;
};

// One thread calls it.
class GpuSharing {
 public:
  using Read = std::function<Result<system::GpuMemory>()>;

  // `first` is what `read` said at the begin. It is called where a job waits, or can be measured and was not
  // yet, and no more often than every other second.
  GpuSharing(system::GpuMemory first, Read read) : memory_(std::move(first)), read_(std::move(read)) {}

  // Returns what is left. The peak of each job is noted in its goals too.
  SharedMemory look(std::span<const GpuSharer> jobs, Seconds now);
  // Returns what all workers that the job may have will take, as far as anything is known.
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
  Mebibytes ours_;  // of what was used then
  // The memory that other programs use. It is read while no job has processes. Before the first such reading
  // it is the memory in use minus the needs of the jobs that an earlier slaq left running.
  std::optional<Mebibytes> others_;
  std::map<JobKey, Seconds> standsSince_;
  std::map<JobKey, Mebibytes> byJob_;  // of a worker, here and below
  std::map<std::string, Mebibytes> byKind_;
  std::optional<Mebibytes> most_;
};

}  // namespace slaq::local::cluster
