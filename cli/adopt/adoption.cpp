#include "cli/adopt/adoption.h"

#include <algorithm>

#include "kube/json/json_fields.h"
#include "kube/json/metadata.h"
#include "kube/targets/paths.h"
#include "kube/targets/target.h"
#include "manifest/object_writer.h"

namespace slaq::cli::adopt {
namespace {

using kube::targets::WorkerGroup;
using manifest::ObjectWriter;

// A larger bound of an object's own stands for none, such as Ray's default.
constexpr Workers kMostWorkers{100000};

// The main group, or else the largest.
const WorkerGroup* chosenOf(const kube::targets::Target& target) {
  if (const WorkerGroup* main = groupOf(target, "")) return main;
  const auto size = [](const WorkerGroup& group) { return group.inelastic ? Workers(-1) : group.desired; };
  const auto largest = std::ranges::max_element(target.groups, {}, size);
  return largest == target.groups.end() ? nullptr : &*largest;
}

std::string whyNot(const kube::targets::Target& target, const WorkerGroup* group, const TargetRef& ref,
                   const std::vector<TargetRef>& taken) {
  if (!group) return "has no workers";
  const bool isTaken = std::ranges::any_of(taken, [&](const TargetRef& each) {
    return each.apiVersion == ref.apiVersion && each.kind == ref.kind && each.name == ref.name;
  });
  if (isTaken) return "has a TrainingJob already";
  if (group->inelastic) return *group->inelastic;
  if (target.suspended) return "is suspended";
  if (group->desired == Workers(0)) return "has no workers now";
  if (group->min.value_or(Workers(1)) > kMostWorkers) return "needs more than 100000 workers";
  return {};
}

Adoption adoptionOf(const kube::targets::Target& target, const WorkerGroup& group, const TargetRef& ref,
                    std::optional<Workers> most) {
  Adoption adoption{.job = {target.key.ns, target.name}, .target = ref};
  if (&group != groupOf(target, "")) {
    adoption.target.group = group.name;
    adoption.job.name += "-" + group.name;
  }
  adoption.isFixed = group.isFixed;
  if (group.isFixed) {
    adoption.min = adoption.max = group.desired;
    return adoption;
  }
  adoption.min = std::max(Workers(1), group.min.value_or(Workers(1)));
  const bool hasMost = group.max && *group.max <= kMostWorkers;
  const Workers wanted = most.value_or(group.desired + group.desired);
  const Workers all = hasMost ? *group.max : std::max(group.desired, wanted);
  adoption.max = std::clamp(all, adoption.min, kMostWorkers);
  return adoption;
}

}  // namespace

std::optional<Candidate> candidateFrom(const rapidjson::Value& object, const TargetKind& kind,
                                       std::optional<Workers> most, const std::vector<TargetRef>& taken,
                                       const std::vector<std::string>& ended) {
  const kube::targets::Target target = kube::targets::readTarget(object, kind, "cpu");
  const bool isOthers = kind.maker.empty() && !kube::json::controllerOf(object).empty();
  const bool hasMakerEnded = std::ranges::find(ended, target.owner) != ended.end();
  const bool isOver = target.complete || target.failed || target.deleting || hasMakerEnded;
  if (isOver || isOthers || target.name.empty()) return std::nullopt;
  Candidate candidate{.kind = kind.kind, .object = {target.key.ns, target.name}, .adoption = {}};
  const TargetRef ref{apiVersionOf(kind), kind.kind, target.name};
  const WorkerGroup* group = chosenOf(target);
  candidate.why = whyNot(target, group, ref, taken);
  if (!candidate.why.empty()) return candidate;
  Adoption& adoption = candidate.adoption.emplace(adoptionOf(target, *group, ref, most));
  adoption.label = group->podsJob;
  adoption.requestsCpu = coresOf(group->pod) > Cores();
  return candidate;
}

rapidjson::Document trainingJobOf(const Adoption& adoption, Mode mode) {
  rapidjson::Document document(rapidjson::kObjectType);
  auto& allocator = document.GetAllocator();
  ObjectWriter ref(allocator);
  ref.add("apiVersion", adoption.target.apiVersion)
      .add("kind", adoption.target.kind)
      .add("name", adoption.target.name);
  if (!adoption.target.group.empty()) ref.add("group", adoption.target.group);
  ObjectWriter workers(allocator);
  workers.add("minReplicas", adoption.min).add("maxReplicas", adoption.max).add("targetRef", ref.take());
  ObjectWriter metadata(allocator);
  metadata.add("name", adoption.job.name).add("namespace", adoption.job.ns);
  ObjectWriter spec(allocator);
  spec.add("mode", name(mode)).add("workers", workers.take());
  ObjectWriter job(allocator);
  job.add("apiVersion", "slaq.io/v1alpha1")
      .add("kind", "TrainingJob")
      .add("metadata", metadata.take())
      .add("spec", spec.take());
  job.take().Swap(document);
  return document;
}

}  // namespace slaq::cli::adopt
