#include "kube/pods/worker_cpu.h"

#include <algorithm>

#include "kube/json/json_fields.h"
#include "manifest/object_writer.h"

namespace slaq::kube::pods {
namespace {

using json::assign;
using json::objectAt;
using json::stringAt;

using rapidjson::Value;
using Allocator = rapidjson::Document::AllocatorType;

constexpr Cores kLeast{1};

Cores requestOf(const Container& container) {
  return container.request.value_or(container.limit.value_or(Cores()));
}

Cores scaled(Cores cores, Cores to, Cores from) { return Cores(cores.value() * to.value() / from.value()); }

// A hard limit moves by the factor of the request. A limit that equals the request stays equal to it, which
// may make the pod Guaranteed. Until the first loss it is no less than the container's part of the ceiling.
Cores hardLimitFor(const WorkersSpec& workers, const Container& container, Cores request, Cores cores,
                   Cores ceiling) {
  const Cores own = requestOf(container);
  if (*container.limit == own) return request;
  const Cores whole = coresOfContainers(workers.pod);
  const Cores atStart = ceiling > cores ? scaled(own, ceiling, whole) : Cores();
  return std::max({request + kLeast, scaled(*container.limit, cores, whole), atStart});
}

// A soft limit is the container's part of the ceiling, or the template's limit if that is more.
Cores softLimitFor(const WorkersSpec& workers, const Container& container, Cores request, Cores ceiling) {
  const Cores part = scaled(requestOf(container), ceiling, coresOfContainers(workers.pod));
  return std::max({request + kLeast, *container.limit, part});
}

const ContainerCpu* goalOf(const std::vector<ContainerCpu>& goals, const std::string& name) {
  const auto found = std::ranges::find(goals, name, &ContainerCpu::name);
  return found == goals.end() ? nullptr : &*found;
}

// Containers that others injected into the pod do not count.
Cores askedBy(const OwnPod& pod, const PodTemplate& from) {
  Cores sum;
  for (const auto& each : from.containers) {
    const auto* container = goalOf(pod.containers, each.name);
    if (container) sum += container->request.value_or(Cores());
  }
  return sum;
}

void assignCpu(Value& resources, const char* kind, const std::optional<Cores>& cores, Allocator& allocator) {
  if (!cores) return;
  assign(objectAt(resources, kind, allocator), "cpu", Value(toString(*cores).c_str(), allocator), allocator);
}

void assignAll(Value& container, const ContainerCpu& goal, Allocator& allocator) {
  Value& resources = objectAt(container, "resources", allocator);
  assignCpu(resources, "requests", goal.request, allocator);
  assignCpu(resources, "limits", goal.limit, allocator);
}

}  // namespace

std::vector<ContainerCpu> spread(const WorkersSpec& workers, Cores cores, bool isStarting) {
  std::vector<ContainerCpu> out;
  const Cores whole = coresOfContainers(workers.pod);
  const Cores ceiling = ceilingOf(workers, cores, isStarting);
  Cores before;  // sum of the requests so far; differences of rounded sums add up to `cores` exactly
  for (const auto& container : workers.pod.containers) {
    const Cores request = requestOf(container);
    if (request <= Cores()) continue;
    const auto share = [&](Cores part) { return part.value() * cores.value() / whole.value(); };
    const Cores goal = std::max(kLeast, Cores(share(before + request) - share(before)));
    before += request;
    out.push_back({container.name, goal, std::nullopt});
    if (!container.limit) continue;
    out.back().limit = workers.cpu.ceiling == CpuCeiling::Hard
                           ? hardLimitFor(workers, container, goal, cores, ceiling)
                           : softLimitFor(workers, container, goal, ceiling);
  }
  return out;
}

std::vector<ContainerCpu> keepingClass(const OwnPod& pod, std::vector<ContainerCpu> goals) {
  for (auto& goal : goals) {
    const auto* now = goalOf(pod.containers, goal.name);
    if (!now || !now->limit || !goal.limit) continue;
    if (now->limit == now->request) {
      goal.limit = goal.request;
    } else {
      // A quota that caps the limit would refuse a higher one, and then the request could not move either.
      goal.limit = std::max(std::min(*goal.limit, *now->limit), *goal.request + kLeast);
    }
  }
  return goals;
}

void assignCpu(Value& podSpec, const std::vector<ContainerCpu>& goals, Allocator& allocator) {
  const auto containers = podSpec.FindMember("containers");
  if (containers == podSpec.MemberEnd() || !containers->value.IsArray()) return;
  for (auto& each : containers->value.GetArray()) {
    const auto* goal = goalOf(goals, stringAt(each, {"name"}));
    if (goal && each.IsObject()) assignAll(each, *goal, allocator);
  }
}

bool asks(const OwnPod& pod, const std::vector<ContainerCpu>& goals) {
  return std::ranges::all_of(goals, [&](const ContainerCpu& goal) {
    const auto* container = goalOf(pod.containers, goal.name);
    return container && container->request == goal.request && (!goal.limit || container->limit == goal.limit);
  });
}

std::optional<Cores> leastAsked(const PodTemplate& pod, const std::vector<OwnPod>& pods) {
  std::optional<Cores> least;
  for (const auto& each : pods) {
    if (each.ended || each.leaving) continue;
    const Cores asked = askedBy(each, pod);
    least = std::min(asked, least.value_or(asked));
  }
  return least;
}

std::string resizeBody(const OwnPod& pod, const std::vector<ContainerCpu>& goals) {
  rapidjson::Document document;
  auto& allocator = document.GetAllocator();
  Value containers(rapidjson::kArrayType);
  for (const auto& goal : goals) {
    Value container = manifest::ObjectWriter(allocator).add("name", goal.name).take();
    assignAll(container, goal, allocator);
    containers.PushBack(std::move(container), allocator);
  }
  return manifest::toText(
      manifest::ObjectWriter(allocator)
          .add("metadata", manifest::ObjectWriter(allocator).add("uid", pod.uid).take())
          .add("spec", manifest::ObjectWriter(allocator).add("containers", std::move(containers)).take())
          .take());
}

}  // namespace slaq::kube::pods
