#include "kube/objects/pod_views.h"

#include <algorithm>

#include "kube/pods/worker_cpu.h"

namespace slaq::kube::objects {
namespace {

template <class Predicate>
Workers countOf(const Pods& pods, Predicate predicate) {
  return Workers(static_cast<std::int32_t>(
      std::ranges::count_if(pods, [&](const pods::OwnPod* pod) { return predicate(*pod); })));
}

bool hasReady(int index, const Pods& pods) {
  return std::ranges::any_of(
      pods, [&](const pods::OwnPod* pod) { return pod->index == index && pods::isReady(*pod); });
}

// The cores held by a pod that is to have `asked`. A shrink under way has not given anything back yet.
Cores heldBy(const pods::OwnPod& pod, Cores asked) {
  if (pod.ended) return {};
  return pod.leaving ? pod.cores : std::max(pod.cores, asked);
}

}  // namespace

void countPods(WorkersView& workers, const Pods& pods) {
  workers.ready = countOf(pods, pods::isReady);
  if (pods.empty()) return;
  workers.active = countOf(pods, pods::lives);
  workers.terminating = countOf(pods, [](const pods::OwnPod& pod) { return !pod.ended && pod.leaving; });
}

void countPods(DriverView& driver, const Pods& pods) {
  driver.ready = std::ranges::any_of(pods, [](const auto* pod) { return pods::isReady(*pod); });
  driver.lastFailure = lastFailureOf(0, pods);
}

std::optional<std::string> obstacleOf(const Pods& pods) {
  for (const auto* pod : pods) {
    if (pods::lives(*pod) && pod->obstacle) return pod->obstacle;
  }
  return std::nullopt;
}

std::optional<std::string> faultOf(const ChildJob& workers, const Pods& pods) {
  for (const auto* pod : pods) {
    const bool counts = pod->index < workers.completions.value();
    if (pod->fault && counts && !hasReady(pod->index, pods)) return pod->fault;
  }
  return std::nullopt;
}

std::optional<ChiefEnd> mainEndOf(const Pods& pods, Time now) {
  const auto found = std::ranges::find_if(
      pods, [&](const auto* pod) { return pod->index == 0 && pod->mainEnd && now >= pod->mainEndCounts; });
  return found == pods.end() ? std::nullopt : (*found)->mainEnd;
}

int failuresOf(int index, const Pods& pods) {
  return static_cast<int>(std::ranges::count_if(
      pods, [&](const pods::OwnPod* pod) { return pod->index == index && pod->fault; }));
}

std::string lastFailureOf(int index, const Pods& pods) {
  const pods::OwnPod* last = nullptr;
  for (const auto* pod : pods) {
    if (pod->index == index && pod->fault && (!last || pod->created > last->created)) last = pod;
  }
  if (!last || last->killed) return {};
  const std::string name = "pod " + last->key.name + " ";
  return last->fault->starts_with(name) ? last->fault->substr(name.size()) : *last->fault;
}

void countFailures(WorkersView& workers, const Pods& pods) {
  workers.failures = failuresOf(0, pods);
  workers.lastFailure = lastFailureOf(0, pods);
}

CpuView cpuView(const ChildJob& workers, const WorkersSpec& spec, bool isStarting, const Pods& pods) {
  CpuView out;
  out.pods = workers.key.name + "-";
  out.asked = workers.workerCpu.value_or(slaq::coresOf(spec.pod));
  const auto goals = pods::spread(spec, out.asked, isStarting);
  Workers living{0};
  for (const auto* each : pods) {
    out.held += heldBy(*each, out.asked);
    if (!pods::lives(*each)) continue;
    living += Workers(1);
    out.settled = out.settled && each->settled && asks(*each, keepingClass(*each, goals));
    if (!out.obstacle) out.obstacle = each->resizePended;
  }
  // New pods begin with the cores of the Job's template, but are resized before anything else happens to
  // them.
  if (runs(workersView(workers)) && living < workers.parallelism)
    out.held += out.asked * (workers.parallelism - living);
  return out;
}

bool anyHolds(const Pods& pods) {
  return std::ranges::any_of(pods, [](const pods::OwnPod* pod) { return !pod->ended; });
}

std::optional<Cores> coresOfEach(const Pods& pods) {
  std::optional<Cores> largest;
  for (const auto* pod : pods) {
    if (pods::lives(*pod) && pod->cores > largest.value_or(Cores())) largest = pod->cores;
  }
  return largest;
}

Cores coresOf(const Pods& pods) {
  Cores sum;
  for (const auto* pod : pods) sum += pod->ended ? Cores() : pod->cores;
  return sum;
}

}  // namespace slaq::kube::objects
