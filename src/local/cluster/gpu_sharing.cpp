#include "local/cluster/gpu_sharing.h"

#include <algorithm>

#include "job/kind.h"

namespace slaq::local::cluster {
namespace {

// nvidia-smi takes a tenth of a second, in which nothing else is done.
constexpr Seconds kBetweenReadings{2};

bool stands(const GpuSharer& sharer) { return !sharer.processes.gone(); }

std::optional<Mebibytes> declaredBy(const TrainingJob& job) {
  const auto& containers = job.spec.workers.pod.containers;
  return containers.empty() ? std::nullopt : containers.front().gpuMemory;
}

}  // namespace

SharedMemory GpuSharing::look(std::span<const GpuSharer> jobs, Seconds now) {
  const bool isWorthIt = std::ranges::any_of(jobs, [&](const GpuSharer& each) {
    const bool isMeasured = byJob_.contains(each.job.key);
    return !stands(each) || (!isMeasured && !each.processes.isStarting());
  });
  if (isWorthIt && (!readAt_ || now - *readAt_ >= kBetweenReadings)) {
    readAt_ = now;
    if (auto memory = read_()) memory_ = std::move(*memory);  // else what was known stays
    ours_ = takenBy(jobs);
    measure(jobs);
  }
  SharedMemory shared{.total = memory_.total, .free = {}};
  Mebibytes promised;
  for (const auto& each : jobs) {
    if (!stands(each)) continue;
    const auto need = needOf(each.job);
    shared.measuring |= !need;
    promised += need.value_or(Mebibytes());
  }
  // Others have the rest, where nvidia-smi tells which part is ours.
  const Mebibytes reserved =
      ours_ > Mebibytes() ? memory_.used - ours_ + promised : std::max(memory_.used, promised);
  shared.free = memory_.total - reserved;
  return shared;
}

// Of these jobs together, at the last reading.
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

void GpuSharing::measure(std::span<const GpuSharer> jobs) {
  const auto standing = std::ranges::count_if(jobs, stands);
  for (const auto& each : jobs) {
    if (!stands(each) || each.processes.isStarting()) continue;
    Mebibytes taken = takenBy({&each, 1});
    if (taken == Mebibytes()) taken = Mebibytes(memory_.used.value() / standing);
    note(each.job, taken);
    each.processes.noteGpuMemory(byJob_.at(each.job.key));
  }
}

std::optional<Mebibytes> GpuSharing::needOf(const TrainingJob& job) const {
  const auto own = byJob_.find(job.key);
  const auto taken = own == byJob_.end() ? std::nullopt : std::optional(own->second);
  if (const auto declared = declaredBy(job)) return std::max(*declared, taken.value_or(*declared));
  if (taken) return taken;
  const auto kind = byKind_.find(kindOf(job));
  return kind != byKind_.end() ? std::optional(kind->second) : most_;
}

void GpuSharing::note(const TrainingJob& job, Mebibytes taken) {
  const auto raise = [&](Mebibytes& most) { most = std::max(most, taken); };
  raise(byJob_[job.key]);
  raise(byKind_[kindOf(job)]);
  most_ = std::max(most_.value_or(taken), taken);
}

}  // namespace slaq::local::cluster
