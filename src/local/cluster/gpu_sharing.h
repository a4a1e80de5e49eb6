// What trainings take of the memory of a GPU that they share, and so how many of them it can hold. What one
// takes it declares, else it is the most that was measured of the job, else of its kind, else of any.
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

  // `first` is what `read` said at the begin. It is called where a job waits, or has shown losses and was not
  // measured yet, and no more often than every other second.
  GpuSharing(system::GpuMemory first, Read read) : memory_(std::move(first)), read_(std::move(read)) {}

  // What is left. The peak of each job is noted in its goals too.
  SharedMemory look(std::span<const GpuSharer> jobs, Seconds now);
  // What the job will take, as far as anything is known.
  std::optional<Mebibytes> needOf(const TrainingJob& job) const;
  // What it has taken at a moment.
  void note(const TrainingJob& job, Mebibytes taken);
  // Forgets the job, but not what was learned of its kind.
  void forget(const JobKey& job) { byJob_.erase(job); }

 private:
  void measure(std::span<const GpuSharer> jobs);
  Mebibytes takenBy(std::span<const GpuSharer> jobs) const;

  system::GpuMemory memory_;
  Read read_;
  std::optional<Seconds> readAt_;
  Mebibytes ours_;  // of the memory used then
  std::map<JobKey, Mebibytes> byJob_;
  std::map<std::string, Mebibytes> byKind_;
  std::optional<Mebibytes> most_;
};

}  // namespace slaq::local::cluster
