#include "job/job.h"

#include <algorithm>

namespace slaq {

std::string toString(const JobKey& key) { return key.ns + "/" + key.name; }

std::string_view name(Convergence convergence) {
  switch (convergence) {
    case Convergence::Auto:
      return "Auto";
    case Convergence::Sublinear:
      return "Sublinear";
    case Convergence::Superlinear:
      return "Superlinear";
    case Convergence::NonConvex:
      return "NonConvex";
  }
  return "Auto";
}

std::optional<Convergence> convergenceFrom(std::string_view text) {
  using enum Convergence;
  for (const auto each : {Auto, Sublinear, Superlinear, NonConvex}) {
    if (text == name(each)) return each;
  }
  return std::nullopt;
}

std::string_view name(Scheduling scheduling) {
  switch (scheduling) {
    case Scheduling::Quality:
      return "Quality";
    case Scheduling::Fair:
      return "Fair";
    case Scheduling::Reserved:
      return "Reserved";
  }
  return "Quality";
}

std::optional<Scheduling> schedulingFrom(std::string_view text) {
  for (const auto each : {Scheduling::Quality, Scheduling::Fair, Scheduling::Reserved}) {
    if (text == name(each)) return each;
  }
  return std::nullopt;
}

std::string_view name(Mode mode) { return mode == Mode::Observe ? "Observe" : "Schedule"; }

std::optional<Mode> modeFrom(std::string_view text) {
  for (const auto each : {Mode::Schedule, Mode::Observe}) {
    if (text == name(each)) return each;
  }
  return std::nullopt;
}

std::string_view name(Value value) { return value == Value::Completion ? "Completion" : "Loss"; }

std::optional<Value> valueFrom(std::string_view text) {
  for (const auto each : {Value::Loss, Value::Completion}) {
    if (text == name(each)) return each;
  }
  return std::nullopt;
}

std::string_view name(CpuCeiling ceiling) { return ceiling == CpuCeiling::Hard ? "Hard" : "Soft"; }

std::optional<CpuCeiling> cpuCeilingFrom(std::string_view text) {
  for (const auto each : {CpuCeiling::Soft, CpuCeiling::Hard}) {
    if (text == name(each)) return each;
  }
  return std::nullopt;
}

std::string_view name(Scaling scaling) { return scaling == Scaling::CPU ? "CPU" : "Replicas"; }

std::optional<Scaling> scalingFrom(std::string_view text) {
  for (const auto each : {Scaling::Replicas, Scaling::CPU}) {
    if (text == name(each)) return each;
  }
  return std::nullopt;
}

bool isPinned(const JobSpec& spec) { return spec.replicas && *spec.replicas > Workers(0); }

std::optional<std::string> whySuspended(const JobSpec& spec) {
  if (spec.suspend) return "spec.suspend is true";
  if (spec.replicas == Workers(0)) return "spec.replicas is 0";
  return std::nullopt;
}

// A program needs more CPU at its start than at any later moment, and it reports no loss before its start is
// over.
Cores ceilingOf(const WorkersSpec& workers, Cores part, bool isStarting) {
  const bool isSoft = workers.cpu.ceiling == CpuCeiling::Soft;
  Cores most = part;
  if (isSoft || isStarting) most = std::max(most, workers.cpu.max);
  if (isStarting) most = std::max(most, workers.start.cpu.value_or(most));
  return most;
}

void narrowToSizes(WorkersSpec& workers) {
  if (workers.sizes.empty()) return;
  std::ranges::sort(workers.sizes);
  workers.min = workers.sizes.front();
  workers.max = workers.sizes.back();
}

Cores coresOf(const PodTemplate& pod) { return pod.effective.value_or(coresOfContainers(pod)); }

Cores coresOfContainers(const PodTemplate& pod) {
  Cores sum;
  for (const auto& container : pod.containers) {
    sum += container.request.value_or(container.limit.value_or(Cores()));
  }
  return sum;
}

std::optional<int> portOf(const PodTemplate& pod, std::string_view portName) {
  for (const auto& container : pod.containers) {
    const auto found = std::ranges::find(container.ports, portName, &ContainerPort::name);
    if (found != container.ports.end()) return found->port;
  }
  return std::nullopt;
}

const PodTemplate& chiefOf(const JobSpec& spec) { return spec.driver ? *spec.driver : spec.workers.pod; }

}  // namespace slaq
