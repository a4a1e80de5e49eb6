#include "kube/targets/targets.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "kube/json/metadata.h"

namespace slaq::kube::targets {
namespace {

// Another controller that sizes the object, such as an autoscaler, answers each change with one of its own. A
// person does so once or twice.
constexpr int kMostUndone = 3;

std::string nameOf(const TargetRef& ref, const std::string& ns) {
  return ref.kind + " " + ns + "/" + ref.name;
}

WorkersView workersOf(const Target& target) {
  WorkersView workers;
  workers.exists = true;
  workers.suspended = target.suspended || target.desired == Workers(0);
  workers.desired = target.desired;
  workers.active = target.active;
  workers.ready = target.ready;
  workers.terminating = target.terminating;
  workers.succeeded = target.complete;
  workers.failed = target.failed;
  return workers;
}

}  // namespace

Targets::Targets(const std::vector<std::string>& kinds, const std::string& resource) {
  for (const auto& name : kinds)
    kinds_.emplace_back(*targetKind(name), resource, mutex_,
                        [this](const Target* before, const Target* after) { noteChange(before, after); });
}

std::vector<Targets::Watched> Targets::watched() {
  std::vector<Watched> all;
  for (auto& kind : kinds_) all.push_back({{kind.is.group, kind.is.version, kind.is.plural}, &kind.sink});
  return all;
}

Targets::Kind* Targets::kindOf(const TargetRef& ref) {
  const auto found = std::ranges::find_if(kinds_, [&](const Kind& each) {
    return each.is.kind == ref.kind &&
           ref.apiVersion == std::string(each.is.group) + "/" + std::string(each.is.version);
  });
  return found == kinds_.end() ? nullptr : &*found;
}

std::optional<std::string> Targets::whyRefused(const TrainingJob& job, const Kind* kind,
                                               const Target* target) {
  const TargetRef& ref = *job.spec.workers.target;
  if (!kind)
    return "spec.workers.targetRef names a " + ref.kind + " of " + ref.apiVersion +
           ", which the administrator does not allow (config.targets)";
  const std::string name = nameOf(ref, job.key.ns);
  if (!kind->objects.synced())
    return "no list of " + std::string(kind->is.plural) + " has come yet, so that nothing is known of " +
           name;
  if (!target) return "there is no " + name;
  if (target->inelastic) return name + " " + *target->inelastic;
  if (target->suspended) return name + " is suspended, and slaq does not start it";
  if (target->desired == Workers(0)) return name + " has no workers, and slaq does not start it";
  if (coresOf(target->pod) <= Cores()) return name + " has to request CPU: it is what a worker costs";
  const auto asked = asked_.find(target->uid);
  if (asked != asked_.end() && asked->second.generation == job.generation &&
      asked->second.undone >= kMostUndone)
    return target->manager + " sizes " + name + " too; slaq leaves it alone until the TrainingJob is changed";
  return std::nullopt;
}

void Targets::describe(ClusterView& view) {
  const std::lock_guard lock(mutex_);
  std::map<std::tuple<std::string, std::string, std::string>, JobKey> owners;
  for (auto& each : view.jobs) {
    const auto& ref = each.job.spec.workers.target;
    if (!ref) continue;
    const Kind* kind = kindOf(*ref);
    const Target* target = kind ? kind->objects.find({each.job.key.ns, ref->name}) : nullptr;
    if (target) {
      each.workers = workersOf(*target);
      each.job.spec.workers.pod = target->pod;
    }
    const auto [owner, isFirst] = owners.try_emplace({each.job.key.ns, ref->kind, ref->name}, each.job.key);
    const bool isOver = each.workers.succeeded || each.workers.failed;
    if (each.refusal || isOver) continue;
    each.refusal = isFirst ? whyRefused(each.job, kind, target)
                           : std::optional("TrainingJob " + toString(owner->second) + " sizes " +
                                           nameOf(*ref, each.job.key.ns) + " already");
  }
}

void Targets::noteChange(const Target* before, const Target* after) {
  if (!after) {
    asked_.erase(before->uid);
    return;
  }
  const auto asked = asked_.find(after->uid);
  if (asked == asked_.end() || !before || before->desired == after->desired) return;
  if (after->desired != asked->second.size) ++asked->second.undone;
}

Result<void> Targets::scale(client::Api& api, const TrainingJob& job, Workers to) {
  const TargetRef& ref = *job.spec.workers.target;
  std::unique_lock lock(mutex_);
  Kind* kind = kindOf(ref);
  const Target* found = kind ? kind->objects.find({job.key.ns, ref.name}) : nullptr;
  if (!found) return failure(ErrorKind::Conflict, "there is no " + nameOf(ref, job.key.ns));
  const Target target = *found;
  if (target.desired == to) return {};
  Asked& asked = asked_[target.uid];
  asked = {job.generation, to, asked.generation == job.generation ? asked.undone : 0};
  lock.unlock();
  const client::Target object{{kind->is.group, kind->is.version, kind->is.plural},
                              job.key.ns,
                              ref.name,
                              kind->is.hasScale ? "scale" : ""};
  const auto patched = api.patch(object, sizePatch(target, kind->is, to));
  if (patched) {
    Target now = target;  // a subresource does not answer with all of it
    now.desired = to;
    now.resourceVersion = json::resourceVersionOf(*patched);
    lock.lock();
    kind->objects.update(std::move(now));
    return {};
  }
  // What changed it comes by the watch; then the next epoch decides again.
  if (patched.error().kind == ErrorKind::NotFound)
    return failure(ErrorKind::Conflict, toString(object) + " is gone");
  return failure(patched.error());
}

}  // namespace slaq::kube::targets
