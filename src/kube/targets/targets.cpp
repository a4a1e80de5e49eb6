#include "kube/targets/targets.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "kube/json/metadata.h"

namespace slaq::kube::targets {
namespace {

constexpr Seconds kLongestListing{15};  // an API server in good order needs less than one

// An autoscaler changes the size again after each change of slaq's. A person does so once or twice.
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

Targets::Targets(const std::vector<std::string>& kinds, const std::string& resource) : resource_(resource) {
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
    return each.is.kind == ref.kind && ref.apiVersion == apiVersionOf(each.is);
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
    return "the cluster has not listed its " + std::string(kind->is.plural) +
           "; is their definition installed, and may the controller list them?";
  if (!target) return "there is no " + name;
  if (target->inelastic) return name + " " + *target->inelastic;
  if (target->suspended) return name + " is suspended, and slaq does not start it";
  if (target->desired == Workers(0)) return name + " has no workers, and slaq does not start it";
  if (coresOf(target->pod) <= Cores())
    return name + " has to request " + resource_ + " for its pods: it is what a worker costs";
  const auto asked = asked_.find(target->uid);
  if (asked != asked_.end() && asked->second.job == job.uid && asked->second.generation == job.generation &&
      asked->second.undone >= kMostUndone)
    return target->manager + " sizes " + name + " too; slaq leaves it alone until the TrainingJob is changed";
  return std::nullopt;
}

bool Targets::listed(Time now) {
  const std::lock_guard lock(mutex_);
  if (!begun_) begun_ = now;
  return now - *begun_ > kLongestListing ||
         std::ranges::all_of(kinds_, [](const Kind& each) { return each.objects.synced(); });
}

void Targets::describe(ClusterView& view) {
  // The TrainingJob that sizes each object: the oldest of those that are not over.
  std::map<std::tuple<std::string, std::string, std::string>, const TrainingJob*> owners;
  const auto isOlder = [](const TrainingJob& a, const TrainingJob& b) {
    return std::tie(a.created, a.key) < std::tie(b.created, b.key);
  };
  const auto ownerOf = [&](const JobView& each) -> const TrainingJob*& {
    const TargetRef& ref = *each.job.spec.workers.target;
    return owners[{each.job.key.ns, ref.kind, ref.name}];
  };
  for (const auto& each : view.jobs) {
    if (!each.job.spec.workers.target || each.job.deleting || finished(each.status.state)) continue;
    const TrainingJob*& owner = ownerOf(each);
    if (!owner || isOlder(each.job, *owner)) owner = &each.job;
  }
  const std::lock_guard lock(mutex_);
  for (auto& each : view.jobs) {
    if (!each.job.spec.workers.target) continue;
    const TrainingJob* owner = ownerOf(each);
    if (owner) describe(each, owner->key);
  }
}

void Targets::describe(JobView& view, const JobKey& owner) {
  const TargetRef& ref = *view.job.spec.workers.target;
  if (owner != view.job.key) {
    if (!view.refusal && !finished(view.status.state))
      view.refusal = "TrainingJob " + toString(owner) + " sizes " + nameOf(ref, owner.ns) + " already";
    return;
  }
  const Kind* kind = kindOf(ref);
  const Target* target = kind ? kind->objects.find({owner.ns, ref.name}) : nullptr;
  if (target) {
    view.workers = workersOf(*target);
    view.job.spec.workers.pod = target->pod;
  }
  if (!view.refusal && !view.workers.succeeded && !view.workers.failed)
    view.refusal = whyRefused(view.job, kind, target);
}

void Targets::noteChange(const Target* before, const Target* after) {
  if (!after) {
    asked_.erase(before->uid);
    return;
  }
  const auto asked = asked_.find(after->uid);
  if (asked == asked_.end() || !before || before->desired == after->desired) return;
  const bool isOurs = after->manager.empty();  // made by this process or by another replica
  if (!isOurs && after->desired != asked->second.size) ++asked->second.undone;
}

Result<void> Targets::scale(client::Api& api, const TrainingJob& job, Workers to) {
  const TargetRef& ref = *job.spec.workers.target;
  std::unique_lock lock(mutex_);
  Kind* kind = kindOf(ref);
  const Target* found = kind ? kind->objects.find({job.key.ns, ref.name}) : nullptr;
  if (!found) return failure(ErrorKind::Conflict, "there is no " + nameOf(ref, job.key.ns));
  const Target target = *found;
  if (target.desired == to) return {};
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
    now.manager.clear();
    lock.lock();
    Asked& asked = asked_[target.uid];
    const bool isSame = asked.job == job.uid && asked.generation == job.generation;
    asked = {job.uid, job.generation, to, isSame ? asked.undone : 0};
    kind->objects.update(std::move(now));
    return {};
  }
  // After a conflict the watch shows the change, and the next epoch decides again.
  if (patched.error().kind == ErrorKind::NotFound)
    return failure(ErrorKind::Conflict, toString(object) + " is gone");
  return failure(patched.error());
}

}  // namespace slaq::kube::targets
