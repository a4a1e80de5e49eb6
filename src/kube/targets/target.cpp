#include "kube/targets/target.h"

#include <rapidjson/pointer.h>

#include <algorithm>

#include "kube/json/json_fields.h"
#include "kube/json/metadata.h"
#include "kube/pods/pod_cores.h"
#include "manifest/object_writer.h"
#include "manifest/pod_reader.h"

namespace slaq::kube::targets {
namespace {

using json::at;
using json::stringAt;
using rapidjson::Pointer;
using rapidjson::Value;

const Value* get(const Value& object, std::string_view path) {
  return path.empty() ? nullptr : Pointer(path.data(), path.size()).Get(object);
}

std::optional<Workers> workersAt(const Value& object, std::string_view path) {
  const auto* found = get(object, path);
  return found && found->IsInt() ? std::optional(Workers(found->GetInt())) : std::nullopt;
}

PodTemplate podOf(const Value& object, const TargetKind& kind, std::string_view resource) {
  PodTemplate pod;
  const auto slash = kind.pod.rfind('/');
  const auto* parent = get(object, kind.pod.substr(0, slash));
  const auto* pods = get(object, kind.pod);
  if (!parent || !pods) return pod;
  manifest::Violations ignored;  // the API server has accepted it
  manifest::ObjectReader reader(*parent, "", ignored);
  readPodTemplate(reader, kind.pod.substr(slash + 1), resource, pod);
  pod.document.clear();
  pod.effective = pods::effectiveCores(*pods, resource);
  return pod;
}

// Why its size must not be changed, by its kind and by who else manages it.
std::optional<std::string> whyInelastic(const Value& object, const TargetKind& kind) {
  for (const auto& [path, why] : kind.needed) {
    if (!get(object, path)) return std::string(why);
  }
  for (const auto& [path, why] : kind.refused) {
    if (get(object, path)) return std::string(why);
  }
  if (!json::controllerOf(object).empty()) return "belongs to another object, which sizes it";
  if (at(object, {"metadata", "labels", "kueue.x-k8s.io/queue-name"}))
    return "is in a queue of Kueue, which would stop it at each change of its size";
  const bool isEqual = std::ranges::all_of(kind.sizes, [&](std::string_view size) {
    return workersAt(object, size) == workersAt(object, kind.sizes.front());
  });
  if (!isEqual || (kind.sizes.size() > 1 && stringAt(object, {"spec", "completionMode"}) != "Indexed"))
    return "has to be an Indexed Job whose completions are its parallelism; the size of others is fixed";
  return std::nullopt;
}

}  // namespace

Target readTarget(const Value& object, const TargetKind& kind, std::string_view resource) {
  Target out{.key = json::keyOf(object),
             .uid = json::uidOf(object),
             .resourceVersion = json::resourceVersionOf(object)};
  const auto count = [&](std::string_view path) { return workersAt(object, path).value_or(Workers()); };
  out.desired = workersAt(object, kind.sizes.front()).value_or(Workers(1));  // the API server's default
  out.active = count(kind.active);
  out.ready = count(kind.ready);
  out.terminating = count(kind.terminating);
  const auto* suspended = get(object, kind.suspended);
  out.suspended = suspended && suspended->IsBool() && suspended->GetBool();
  if (!kind.complete.empty()) {
    out.complete = json::conditionMessage(object, kind.complete).has_value();
    out.failed = json::conditionMessage(object, "Failed");
  }
  out.inelastic = whyInelastic(object, kind);
  out.pod = podOf(object, kind, resource);
  out.manager = printable(json::otherManagerOf(object, kind.sizes.front()));
  return out;
}

std::string sizePatch(const Target& target, const TargetKind& kind, Workers workers) {
  rapidjson::Document patch(rapidjson::kObjectType);
  auto& allocator = patch.GetAllocator();
  Pointer("/metadata/uid").Set(patch, target.uid.c_str(), allocator);
  Pointer("/metadata/resourceVersion").Set(patch, target.resourceVersion.c_str(), allocator);
  if (kind.hasScale) {
    Pointer("/spec/replicas").Set(patch, workers.value(), allocator);
  } else {
    for (const auto size : kind.sizes)
      Pointer(size.data(), size.size()).Set(patch, workers.value(), allocator);
  }
  return manifest::toText(patch);
}

}  // namespace slaq::kube::targets
