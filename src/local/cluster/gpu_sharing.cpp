#include "local/cluster/gpu_sharing.h"

#include <algorithm>

#include "job/kind.h"

namespace slaq::local::cluster {
namespace {

// nvidia-smi takes a tenth of a second, and nothing else is done in that time.
constexpr Seconds kBetweenReadings{2};
// A driver that hangs would delay everything at each reading.
constexpr Seconds kAfterAFailure{60};
// A program that has run for this long has taken what it needs, even if it has shown no loss.
constexpr Seconds kLongestStart{60};

// True if the job has processes, or slaq will start them again without another decision.
bool stands(const GpuSharer& sharer) { return sharer.processes.running() || !sharer.processes.gone(); }

std::optional<Mebibytes> declaredBy(const TrainingJob& job) {
  const auto& containers = job.spec.workers.pod.containers;
  return containers.empty() ? std::nullopt : containers.front().gpuMemory;
}

}  // namespace

SharedMemory GpuSharing::look(std::span<const GpuSharer> jobs, Seconds now) {
  noteStanding(jobs, now);
  // Jobs that run at the first look were left by an earlier slaq, and have what they need.
  if (!others_) others_ = memory_.used - std::min(memory_.used, promisedTo(jobs));
  const bool isWorthIt = std::ranges::any_of(jobs, [&](const GpuSharer& each) {
    return !stands(each) || (!byJob_.contains(each.job.key) && isMeasurable(each, now));
  });
  if (isWorthIt && now >= nextReading_) read(jobs, now);
  SharedMemory shared{.total = memory_.total, .free = {}};
  shared.measuring =
      std::ranges::any_of(jobs, [&](const GpuSharer& each) { return stands(each) && !needOf(each.job); });
  const Mebibytes promised = promisedTo(jobs);
  // Where nvidia-smi tells which part belongs to slaq's jobs, other programs have the rest.
  const Mebibytes reserved =
      ours_ > Mebibytes() ? memory_.used - ours_ + promised : std::max(memory_.used, *others_ + promised);
  shared.free = memory_.total - reserved;
  return shared;
}

void GpuSharing::noteStanding(std::span<const GpuSharer> jobs, Seconds now) {
  for (const auto& each : jobs) {
    if (stands(each)) {
      standsSince_.try_emplace(each.job.key, now);
    } else {
      standsSince_.erase(each.job.key);
    }
  }
}

bool GpuSharing::isMeasurable(const GpuSharer& sharer, Seconds now) const {
  const auto since = standsSince_.find(sharer.job.key);
  if (since == standsSince_.end() || sharer.processes.gone()) return false;
  return !sharer.processes.isStarting() || now - since->second >= kLongestStart;
}

void GpuSharing::read(std::span<const GpuSharer> jobs, Seconds now) {
  auto memory = read_();
  nextReading_ = now + (memory ? kBetweenReadings : kAfterAFailure);
  if (!memory) return;  // the last reading stays
  memory_ = std::move(*memory);
  ours_ = takenBy(jobs);
  const auto standing = std::ranges::count_if(jobs, stands);
  if (standing == 0) others_ = memory_.used;
  // Where nvidia-smi names no process, each job gets an equal part of the memory that was added since no job
  // ran.
  const bool isKnown = !memory_.byProcess.empty();
  const Mebibytes part((memory_.used - std::min(memory_.used, *others_)).value() /
                       std::max<std::int64_t>(1, standing));
  for (const auto& each : jobs) {
    if (!isMeasurable(each, now) || (!isKnown && declaredBy(each.job))) continue;
    const Mebibytes taken = isKnown ? takenBy({&each, 1}) : part;
    note(each.job, Mebibytes(taken.value() / std::max(1, each.processes.workers().active.value())));
    each.processes.noteGpuMemory(byJob_.at(each.job.key));
  }
}

Mebibytes GpuSharing::promisedTo(std::span<const GpuSharer> jobs) const {
  Mebibytes sum;
  for (const auto& each : jobs) {
    if (stands(each)) sum += needOf(each.job).value_or(Mebibytes());
  }
  return sum;
}

// The memory of these jobs together, at the last reading.
Mebibytes GpuSharing::takenBy(std::span<const GpuSharer> jobs) const {
  Mebibytes taken;
  if (memory_.byProcess.empty()) return taken;
  for (const auto& each : jobs) {
    for (const pid_t process : each.processes.processes()) {
      const auto found = memory_.byProcess.find(process);
      if (found != memory_.byProcess.end()) taken += found->second;
    }
  }
  return taken;
}

std::optional<Mebibytes> GpuSharing::needOf(const TrainingJob& job) const {
  const auto own = byJob_.find(job.key);
  std::optional<Mebibytes> each = own != byJob_.end() ? std::optional(own->second) : std::nullopt;
  if (const auto declared = declaredBy(job)) {
    each = std::max(*declared, each.value_or(*declared));
  } else if (!each) {
    const auto kind = byKind_.find(kindOf(job));
    each = kind != byKind_.end() ? std::optional(kind->second) : most_;
  }
  return each ? std::optional(*each * std::int64_t{job.spec.workers.max.value()}) : std::nullopt;
}

void GpuSharing::note(const TrainingJob& job, Mebibytes taken) {
  const auto raise = [&](Mebibytes& most) { most = std::max(most, taken); };
  raise(byJob_[job.key]);
  raise(byKind_[kindOf(job)]);
  most_ = std::max(most_.value_or(taken), taken);
}

void GpuSharing::forget(const JobKey& job) {
  byJob_.erase(job);
  standsSince_.erase(job);
}

}  // namespace slaq::local::cluster
