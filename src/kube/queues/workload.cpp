#include "kube/queues/workload.h"

#include <algorithm>
#include <set>

#include "base/text.h"
#include "kube/json/json_fields.h"
#include "kube/json/metadata.h"
#include "kube/pods/pod_cores.h"
#include "manifest/object_writer.h"

namespace slaq::kube::queues {
namespace {

using json::at;
using json::elementsAt;
using json::stringAt;
using rapidjson::Value;

// A set that was made smaller after its admission needs less than was reserved at first. So does one of which
// pods have succeeded.
Cores reservedFor(const Value& object, const PodSet& set, const Value& assignment,
                  std::string_view resource) {
  const Cores all = pods::quantityIn(at(assignment, {"resourceUsage"}), resource);
  const std::int32_t then = json::intAt(assignment, {"count"});
  const auto* done = json::elementWith(object, {"status", "reclaimablePods"}, "name", set.name);
  const std::int32_t now = set.count.value() - (done ? json::intAt(*done, {"count"}) : 0);
  if (then <= 0 || now >= then) return all;
  return Cores(all.value() / then) * std::max(0, now);
}

std::vector<std::string> flavorsOf(const Value& assignment) {
  std::set<std::string> names;
  const auto* flavors = at(assignment, {"flavors"});
  if (!flavors || !flavors->IsObject()) return {};
  for (const auto& [of, flavor] : flavors->GetObject())
    if (flavor.IsString()) names.insert(flavor.GetString());
  return {names.begin(), names.end()};
}

PodSet readPodSet(const Value& object, const Value& set, std::string_view resource) {
  PodSet out{.name = stringAt(set, {"name"}), .count = Workers(json::intAt(set, {"count"})), .cores = {}};
  const auto* assignment =
      json::elementWith(object, {"status", "admission", "podSetAssignments"}, "name", out.name);
  if (assignment) {
    // Kueue may have admitted the size of before, if that was raised at the same moment.
    const Workers reserved(json::intAt(*assignment, {"count"}));
    if (reserved > Workers(0)) out.count = std::min(out.count, reserved);
    out.flavor = stringAt(*assignment, {"flavors", resource});
    out.flavors = flavorsOf(*assignment);
    out.cores = reservedFor(object, out, *assignment, resource);
  } else if (const auto* pod = at(set, {"template"})) {
    out.cores = pods::effectiveCores(*pod, resource) * std::max(Workers(), out.count);
  }
  return out;
}

std::string updatesOf(const Value& object) {
  rapidjson::Document all(rapidjson::kArrayType);
  auto& allocator = all.GetAllocator();
  for (const auto& check : elementsAt(object, {"status", "admissionChecks"})) {
    for (const auto& update : elementsAt(check, {"podSetUpdates"}))
      all.PushBack(Value(update, allocator), allocator);
  }
  return all.Empty() ? "" : manifest::toText(all);
}

}  // namespace

Cores coresOf(const Workload& workload) {
  Cores sum;
  for (const auto& each : workload.podSets) sum += each.cores;
  return sum;
}

Workers workersOf(const Workload& workload) {
  const auto found = std::ranges::find(workload.podSets, kWorkerSet, &PodSet::name);
  return found == workload.podSets.end() ? Workers() : found->count;
}

Workload readWorkload(const Value& object, std::string_view resource) {
  auto out = json::identified<Workload>(object);
  out.owner = json::controllerOf(object);
  out.ownerName = json::controllerNameOf(object);
  out.queue = stringAt(object, {"spec", "queueName"});
  out.clusterQueue = stringAt(object, {"status", "admission", "clusterQueue"});
  out.replaces = stringAt(object, {"metadata", "annotations", kReplacesAnnotation});
  out.first = stringAt(object, {"metadata", "annotations", kFirstSliceAnnotation});
  out.created = json::timeAt(object, {"metadata", "creationTimestamp"}).value_or(Time());
  out.priority = json::intAt(object, {"spec", "priority"});
  out.priorityBoost =
      numberFrom<int>(stringAt(object, {"metadata", "annotations", kPriorityBoostAnnotation})).value_or(0);
  const auto* active = at(object, {"spec", "active"});
  out.active = !active || !active->IsFalse();
  out.deleting = json::isBeingDeleted(object);
  out.admitted = json::conditionMessage(object, "Admitted").has_value();
  out.finished = json::conditionMessage(object, "Finished").has_value();
  out.podsReady = json::conditionMessage(object, "PodsReady").has_value();
  out.evicted = json::conditionMessage(object, "Evicted");
  if (out.evicted) out.evictedReason = stringAt(*json::conditionOf(object, "Evicted"), {"reason"});
  const auto* reserved = json::conditionOf(object, "QuotaReserved");
  if (reserved && stringAt(*reserved, {"status"}) == "False")
    out.pending = printable(stringAt(*reserved, {"message"}));
  for (const auto& each : elementsAt(object, {"spec", "podSets"}))
    out.podSets.push_back(readPodSet(object, each, resource));
  out.podSetUpdates = updatesOf(object);
  return out;
}

}  // namespace slaq::kube::queues
