#include "kube/pods/pod_cores.h"

#include <algorithm>

#include "kube/json/json_fields.h"
#include "yaml/value.h"

namespace slaq::kube::pods {
namespace {

using json::at;
using json::elementsAt;
using json::stringAt;

using rapidjson::Value;

// Counts the cores of one container of a pod.
struct Count {
  const Value& pod;
  std::string_view resource;
  bool largest;  // a resize is under way

  Cores operator()(const Value& container) const {
    const Cores asked = requestOf(container, resource);
    const Value* status = largest ? statusOf(pod, stringAt(container, {"name"})) : nullptr;
    if (!status) return asked;
    return std::max({asked, quantityIn(at(*status, {"allocatedResources"}), resource),
                     quantityIn(at(*status, {"resources", "requests"}), resource)});
  }
};

// The request of all containers: the larger of the peak during initialization and the sum that runs
// afterwards.
Cores containersCores(const Value& pod, const Count& count) {
  Cores sidecars;
  Cores peak;  // of the initialization
  for (const auto& each : elementsAt(pod, {"spec", "initContainers"})) {
    const Cores own = count(each);
    peak = std::max(peak, sidecars + own);
    if (stringAt(each, {"restartPolicy"}) == "Always") sidecars += own;
  }
  Cores running = sidecars;
  for (const auto& each : elementsAt(pod, {"spec", "containers"})) running += count(each);
  return std::max(peak, running);
}

}  // namespace

Cores quantityIn(const Value* resources, std::string_view resource) {
  const auto* quantity = resources ? at(*resources, {resource}) : nullptr;
  return quantity ? yaml::readCores(*quantity).value_or(Cores()) : Cores();
}

Cores requestOf(const Value& container, std::string_view resource) {
  for (const char* kind : {"requests", "limits"}) {
    const auto* list = at(container, {"resources", kind});
    if (list && at(*list, {resource})) return quantityIn(list, resource);
  }
  return {};
}

const Value* statusOf(const Value& pod, std::string_view container) {
  const auto* status = json::elementWith(pod, {"status", "containerStatuses"}, "name", container);
  return status ? status : json::elementWith(pod, {"status", "initContainerStatuses"}, "name", container);
}

bool resizing(const Value& pod, std::string_view resource) {
  for (const auto& each : elementsAt(pod, {"status", "conditions"})) {
    const std::string type = stringAt(each, {"type"});
    const bool resize = type == "PodResizePending" || type == "PodResizeInProgress";
    if (resize && stringAt(each, {"status"}) == "True") return true;
  }
  for (const auto& each : elementsAt(pod, {"spec", "containers"})) {
    const auto* status = statusOf(pod, stringAt(each, {"name"}));
    const auto* allocated = status ? at(*status, {"allocatedResources"}) : nullptr;
    if (allocated && quantityIn(allocated, resource) != requestOf(each, resource)) return true;
  }
  return false;
}

Cores effectiveCores(const Value& pod, std::string_view resource) {
  const Cores overhead = quantityIn(at(pod, {"spec", "overhead"}), resource);
  const auto* ofPod = at(pod, {"spec", "resources", "requests", resource});
  const Cores asked = ofPod ? quantityIn(at(pod, {"spec", "resources", "requests"}), resource)
                            : containersCores(pod, {pod, resource, resizing(pod, resource)});
  return std::min(asked + overhead, kMostCores);
}

}  // namespace slaq::kube::pods
