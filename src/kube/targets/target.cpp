#include "kube/targets/target.h"

#include <algorithm>

#include "kube/json/json_fields.h"
#include "kube/json/metadata.h"
#include "kube/pods/pod_cores.h"
#include "kube/targets/paths.h"
#include "manifest/json_patch.h"
#include "manifest/pod_reader.h"

namespace slaq::kube::targets {
namespace {

using json::at;
using rapidjson::Value;

// The time to read an object grows with the square of this number. Without a limit, one object of a user
// could keep the controller busy for a minute.
constexpr std::size_t kMostGroups = 100;

PodTemplate podOf(const Value& object, const TargetKind& kind, const std::string& group,
                  std::string_view resource) {
  PodTemplate pod;
  const std::string path = pointerTo(object, kind.pod, group);
  const auto* pods = path.empty() ? nullptr : valueAt(object, path);
  if (!pods) return pod;
  const auto slash = path.rfind('/');
  manifest::Violations ignored;  // the API server has accepted it
  manifest::ObjectReader reader(*valueAt(object, path.substr(0, slash)), "", ignored);
  readPodTemplate(reader, std::string_view(path).substr(slash + 1), resource, pod);
  pod.document.clear();
  pod.effective = pods::effectiveCores(*pods, resource);
  if (kind.podsOfWorker.empty()) return pod;
  const Workers size = std::max(Workers(1), workersAt(object, kind.podsOfWorker).value_or(Workers(1)));
  const auto* first = valueAt(object, kind.firstPod);
  const Cores ofFirst = first ? pods::effectiveCores(*first, resource) : *pod.effective;
  pod.effective = ofFirst + *pod.effective * (size - Workers(1));
  return pod;
}

// Kueue itself asks for the quota of each change of its size.
bool isElasticForKueue(const Value& object, const TargetKind& kind) {
  return (kind.kind == "Job" || kind.kind == "RayCluster") &&
         json::stringAt(object, {"metadata", "annotations", kElasticAnnotation}) == "true";
}

// Why no group of it may be sized, by its kind and by who else manages it.
std::optional<std::string> whyInelastic(const Value& object, const TargetKind& kind) {
  for (const auto& [path, why] : kind.needed) {
    if (!valueAt(object, path)) return why;
  }
  for (const auto& [path, why] : kind.refused) {
    const auto* found = valueAt(object, path);
    if (found && !found->IsFalse()) return why;
  }
  if (kind.maker.empty() && !json::controllerOf(object).empty())
    return "belongs to another object, which sizes it";
  const bool isQueued = at(object, {"metadata", "labels", kQueueLabel});
  if (isQueued && !kind.isFixed && !isElasticForKueue(object, kind))
    return "is in a queue of Kueue, which would stop it at each change of its size; Jobs and RayClusters "
           "with the "
           "annotation " +
           std::string(kElasticAnnotation) + ": \"true\" can be sized there";
  return std::nullopt;
}

bool isSuspended(const Value& object, const TargetKind& kind, const std::string& group) {
  const auto* suspended = valueAt(object, kind.groupSuspended, group);
  return suspended && suspended->IsTrue();
}

// Why this group may not be sized.
std::optional<std::string> whyInelastic(const Value& object, const TargetKind& kind,
                                        const std::string& group) {
  if (const auto copies = workersAt(object, kind.copies, group); copies && *copies != Workers(1))
    return "has " + std::to_string(copies->value()) + " in " + pointerTo(object, kind.copies, group) +
           ", by which each change would be multiplied; it has to be 1";
  if (isSuspended(object, kind, group))
    return "has suspended this group of workers, and slaq does not start it";
  const bool isEqual = std::ranges::all_of(kind.sizes, [&](const std::string& size) {
    return workersAt(object, size, group) == workersAt(object, kind.sizes.front(), group);
  });
  const auto* mode = valueAt(object, kind.mode, group);
  if (!isEqual ||
      (!kind.mode.empty() && !(mode && mode->IsString() && mode->GetString() == std::string("Indexed"))))
    return "has to be an Indexed Job whose completions are its parallelism; the size of others is fixed";
  return std::nullopt;
}

PodCounts countsOf(const Value& object, const TargetKind& kind, const std::string& group = {}) {
  const auto count = [&](const std::string& path) {
    return std::max(Workers(), workersAt(object, path, group).value_or(Workers()));
  };
  return {count(kind.active), count(kind.ready), count(kind.terminating)};
}

WorkerGroup groupFrom(const Value& object, const TargetKind& kind, const std::string& name,
                      std::string_view resource) {
  WorkerGroup group{.name = name};
  for (const auto& size : kind.sizes) group.sizes.push_back(pointerTo(object, size, name));
  // The API server's default is one worker.
  group.desired = workersAt(object, kind.sizes.front(), name).value_or(Workers(1));
  group.min = workersAt(object, kind.min, name);
  group.max = workersAt(object, kind.max, name);
  group.isFixed = kind.isFixed;
  group.inelastic = whyInelastic(object, kind, name);
  group.pod = podOf(object, kind, name, resource);
  if (const auto* pods = valueAt(object, kind.pod, name))
    group.podsJob = json::stringAt(*pods, {"metadata", "labels", kJobLabel});
  group.manager = printable(json::otherManagerOf(object, group.sizes.front()));
  if (!kind.countsAllGroups && kind.jobLabel.empty()) group.pods = countsOf(object, kind, name);
  return group;
}

// The cores of the pods beside all groups that run.
Cores othersOf(const Value& object, const TargetKind& kind, std::string_view resource) {
  Cores sum;
  for (const auto& [path, condition] : kind.others) {
    const auto* pod = valueAt(object, path);
    if (pod && json::conditionMessage(object, condition)) sum += pods::effectiveCores(*pod, resource);
  }
  return sum;
}

std::vector<Workers> podsWanted(const Value& object, const TargetKind& kind,
                                const std::vector<WorkerGroup>& groups) {
  std::vector<Workers> wanted;
  for (const auto& each : groups) {
    const Workers copies = workersAt(object, kind.copies, each.name).value_or(Workers(1));
    const Workers desired = isSuspended(object, kind, each.name) ? Workers() : each.desired;
    wanted.push_back(std::max(Workers(), desired) * std::max(1, copies.value()));
  }
  return wanted;
}

// The pods of a group are what is left of all pods once the other groups have theirs. Where another group
// lacks pods, this one seems to lack them.
void divideCounts(const PodCounts& all, const std::vector<Workers>& wanted,
                  std::vector<WorkerGroup>& groups) {
  Workers sum;
  for (const Workers each : wanted) sum += each;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const auto own = [&](Workers count) {
      return std::clamp(count - (sum - wanted[i]), Workers(), wanted[i]);
    };
    groups[i].pods = {own(all.active), own(all.ready), own(all.terminating)};
  }
}

bool isRepeated(const std::vector<WorkerGroup>& groups, const std::string& name) {
  return std::ranges::count(groups, name, &WorkerGroup::name) > 1;
}

void readGroups(const Value& object, const TargetKind& kind, std::string_view resource,
                std::vector<WorkerGroup>& groups) {
  auto names = groupsAt(object, kind.sizes.front());
  const bool areTooMany = names.size() > kMostGroups;
  if (areTooMany) names.resize(kMostGroups);
  for (const auto& name : names) groups.push_back(groupFrom(object, kind, name, resource));
  if (kind.countsAllGroups) divideCounts(countsOf(object, kind), podsWanted(object, kind, groups), groups);
  Cores all = othersOf(object, kind, resource);
  for (const auto& each : groups) all += slaq::coresOf(each.pod) * each.pods.ready;
  for (auto& each : groups) {
    each.others = all - slaq::coresOf(each.pod) * each.pods.ready;
    if (isRepeated(groups, each.name))
      each.inelastic = "has two groups of workers named " + printable(each.name);
    if (areTooMany) each.inelastic = "has more than " + std::to_string(kMostGroups) + " groups of workers";
  }
}

}  // namespace

client::Resource sizedResource(const TargetKind& kind) {
  if (kind.sizedGroup.empty()) return {kind.group, kind.version, kind.plural};
  return {kind.sizedGroup, kind.sizedVersion, kind.plural};
}

client::Resource makerResource(const TargetKind& kind) { return {kind.group, kind.version, kind.makers}; }

const WorkerGroup* groupOf(const Target& target, const std::string& name) {
  if (name.empty() && target.groups.size() == 1) return &target.groups.front();
  const std::string& wanted = name.empty() ? target.mainGroup : name;
  if (wanted.empty()) return nullptr;
  const auto found = std::ranges::find(target.groups, wanted, &WorkerGroup::name);
  return found == target.groups.end() ? nullptr : &*found;
}

std::string nameFor(const Value& object, const TargetKind& kind) {
  if (kind.maker.empty()) return json::keyOf(object).name;
  const std::string owner = json::controllerNameOf(object);
  const std::string prefix = kind.maker + "/";
  return owner.starts_with(prefix) ? owner.substr(prefix.size()) : std::string();
}

Target readTarget(const Value& object, const TargetKind& kind, std::string_view resource) {
  Target out{.key = json::keyOf(object),
             .name = nameFor(object, kind),
             .uid = json::uidOf(object),
             .resourceVersion = json::resourceVersionOf(object),
             .owner = json::controllerOf(object),
             .deleting = json::isBeingDeleted(object)};
  out.mainGroup = kind.mainGroup;
  const auto* suspended = valueAt(object, kind.suspended);
  out.suspended = suspended && suspended->IsTrue();
  if (!kind.complete.empty()) {
    out.complete = json::conditionMessage(object, kind.complete).has_value();
    out.failed = json::conditionMessage(object, "Failed");
  }
  readGroups(object, kind, resource, out.groups);
  if (const auto why = whyInelastic(object, kind)) {
    for (auto& each : out.groups) each.inelastic = why;
  }
  return out;
}

TargetJob readTargetJob(const Value& job, const TargetKind& kind) {
  return {.key = json::keyOf(job),
          .uid = json::uidOf(job),
          .resourceVersion = json::resourceVersionOf(job),
          .target = json::stringAt(job, {"metadata", "labels", kind.jobLabel}),
          .group = json::stringAt(job, {"metadata", "labels", kind.jobGroupLabel}),
          .pods = countsOf(job, kind)};
}

TargetMaker readTargetMaker(const Value& object, const TargetKind& kind) {
  // The first line, since Ray's messages go on with the end of the program's output.
  const auto textAt = [&](const std::string& path) -> std::string {
    const auto* found = valueAt(object, path);
    const std::string_view text = found && found->IsString() ? found->GetString() : "";
    return printable(text.substr(0, text.find('\n')));
  };
  TargetMaker out{.key = json::keyOf(object),
                  .uid = json::uidOf(object),
                  .resourceVersion = json::resourceVersionOf(object),
                  .deleting = json::isBeingDeleted(object)};
  if (const auto* trainer = valueAt(object, kind.trainerStatus)) {
    out.trainer = metrics::readTrainerStatus(*trainer);
    out.trainerUpdated = json::timeAt(*trainer, {"lastUpdatedTime"}).value_or(Time());
  }
  if (!kind.makerComplete.empty()) {
    out.complete = json::conditionMessage(object, kind.makerComplete).has_value();
    out.failed = json::conditionMessage(object, "Failed");
    return out;
  }
  const std::string state = textAt(kind.makerState);
  const std::string result = textAt(kind.makerResult);
  const std::string message = textAt(kind.makerMessage);
  out.state = message.empty() ? state : state + ": " + message;
  out.complete = state == "Complete" && result == "SUCCEEDED";
  if (!out.complete && (state == "Complete" || state == "Failed"))
    out.failed =
        message.empty() ? "the " + kind.maker + " ended as " + (result.empty() ? state : result) : message;
  return out;
}

std::string sizePatch(const Target& target, const WorkerGroup& group, const TargetKind& kind,
                      Workers workers) {
  manifest::JsonPatch patch;
  patch.require(target.uid, target.resourceVersion);
  if (kind.hasScale) {
    patch.set(kScalePath, workers.value());
  } else {
    for (const auto& size : group.sizes) patch.set(size, workers.value());
  }
  return patch.text();
}

}  // namespace slaq::kube::targets
