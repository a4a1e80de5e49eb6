#include "kube/targets/targets.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "kube/json/metadata.h"
#include "kube/targets/paths.h"
#include "kube/targets/target_view.h"

namespace slaq::kube::targets {
namespace {

// An autoscaler changes the size again after each change of slaq's. A person does so once or twice.
constexpr int kMostUndone = 3;

std::string nameOf(const TargetRef& ref, const std::string& ns) {
  return ref.kind + " " + ns + "/" + ref.name;
}

// "workers, head": for a message.
std::string namesOf(const std::vector<WorkerGroup>& groups) {
  std::string names;
  for (const auto& each : groups) names += (names.empty() ? "" : ", ") + printable(each.name);
  return names;
}

}  // namespace

Targets::Targets(const std::vector<TargetKind>& kinds, const std::string& resource, bool followNodes)
    : resource_(resource), followNodes_(followNodes) {
  for (const auto& kind : kinds)
    kinds_.emplace_back(kind, resource, mutex_,
                        [this](const Target* before, const Target* after) { noteChange(before, after); });
}

std::vector<Targets::Watched> Targets::watched() {
  std::vector<Watched> all;
  for (auto& kind : kinds_) {
    all.push_back({sizedResource(kind.is), {}, &kind.sink});
    if (!kind.is.jobLabel.empty()) all.push_back({client::kJobs, {kind.is.jobLabel}, &kind.jobSink});
    if (!kind.is.makers.empty()) all.push_back({makerResource(kind.is), {}, &kind.makerSink});
  }
  return all;
}

const Target* Targets::Kind::find(const std::string& ns, const std::string& name) const {
  const Target* found = nullptr;
  for (const Target* each : objects.by(name)) {
    if (each->key.ns == ns && (!found || found->deleting)) found = each;
  }
  return found;
}

const TargetMaker* Targets::Kind::makerOf(const std::string& ns, const std::string& name,
                                          const Target* target) const {
  const TargetMaker* maker = makers.find({ns, name});
  const bool isIt = maker && !maker->deleting && (!target || target->owner == maker->uid);
  return isIt ? maker : nullptr;
}

Targets::Kind* Targets::kindOf(const TargetRef& ref) {
  const auto found = std::ranges::find_if(kinds_, [&](const Kind& each) {
    return each.is.kind == ref.kind && ref.apiVersion == apiVersionOf(each.is);
  });
  return found == kinds_.end() ? nullptr : &*found;
}

std::string Targets::allowedKinds() const {
  if (kinds_.empty()) return "it allows none";
  std::string names;
  for (const auto& each : kinds_)
    names += (names.empty() ? "" : ", ") + each.is.kind + " of " + apiVersionOf(each.is);
  return "it allows " + names;
}

std::optional<std::string> Targets::whyRefused(const TrainingJob& job, const Kind* kind, const Target* target,
                                               const WorkerGroup* group) {
  const TargetRef& ref = *job.spec.workers.target;
  if (!kind)
    return "spec.workers.targetRef names a " + ref.kind + " of " + ref.apiVersion +
           ", which the administrator does not allow by config.targets; " + allowedKinds();
  const std::string name = nameOf(ref, job.key.ns);
  if (!kind->synced())
    return "the cluster has not listed its " + kind->unlisted() +
           "; is their definition installed, and may the controller list them?";
  if (!target) return whyNoTarget(job, *kind);
  if (target->groups.empty()) return name + " has no workers";
  if (!group && ref.group.empty())
    return name + " has several groups of workers; name one of " + namesOf(target->groups) +
           " in spec.workers.targetRef.group";
  if (!group) return name + " has no group " + ref.group + "; it has " + namesOf(target->groups);
  if (group->inelastic) return name + " " + *group->inelastic;
  if (target->suspended) return name + " is suspended, and slaq does not start it";
  if (group->desired == Workers(0)) return name + " has no workers, and slaq does not start it";
  if (!narrowed(job.spec.workers, *group))
    return name + " itself allows " + boundsOf(*group) + " workers, and the TrainingJob none of these";
  if (coresOf(group->pod) <= Cores())
    return name + " has to request " + resource_ + " for its pods: it is what a worker costs";
  // The cores of an object of fixed size need not be known where they are none that others leave.
  if (followNodes_ && !group->isFixed && group->podsJob != job.key.name)
    return name + " has to give its pods the label " + kJobLabel + ": " + job.key.name +
           ", by which slaq tells them from those of other programs where it shares what these leave of the "
           "nodes";
  const auto asked = asked_.find(target->uid);
  if (asked != asked_.end() && asked->second.job == job.uid && asked->second.generation == job.generation &&
      asked->second.undone >= kMostUndone)
    // slaq itself is the manager of a size that an admission webhook has put in place of the one it asked
    // for.
    return (group->manager.empty() ? "an admission webhook" : group->manager) + " sizes " + name +
           " too; slaq leaves it alone until the TrainingJob is changed";
  return std::nullopt;
}

std::string Targets::whyNoTarget(const TrainingJob& job, const Kind& kind) {
  const TargetRef& ref = *job.spec.workers.target;
  const std::string name = nameOf(ref, job.key.ns);
  const TargetMaker* maker = kind.makerOf(job.key.ns, ref.name, nullptr);
  if (!maker) return "there is no " + name;
  return name + " has none of its " + kind.is.plural + " yet" +
         (maker->state.empty() ? "" : "; it is " + maker->state);
}

bool Targets::synced() {
  const std::lock_guard lock(mutex_);
  return std::ranges::all_of(kinds_, [](const Kind& each) { return each.synced(); });
}

void Targets::describe(ClusterView& view) {
  const auto owners = sizingJobs(view);
  const std::lock_guard lock(mutex_);
  forgetMakers();
  for (auto& each : view.jobs) {
    if (!each.job.spec.workers.target) continue;
    const auto owner = owners.find(targetNameOf(each.job));
    if (owner != owners.end()) describe(each, owner->second->job.key);
  }
}

void Targets::forgetMakers() {
  std::erase_if(shownLosses_, [&](const auto& each) {
    return std::ranges::none_of(kinds_, [&](const Kind& kind) { return kind.hasMaker(each.first); });
  });
}

void Targets::describe(JobView& view, const JobKey& owner) {
  const TargetRef& ref = *view.job.spec.workers.target;
  if (owner != view.job.key) {
    if (!view.refusal && !finished(view.status.state))
      view.refusal = "TrainingJob " + toString(owner) + " sizes " + nameOf(ref, owner.ns) + " already";
    return;
  }
  const Kind* kind = kindOf(ref);
  const Target* target = kind ? kind->find(owner.ns, ref.name) : nullptr;
  const WorkerGroup* group = target ? groupOf(*target, ref.group) : nullptr;
  std::optional<std::string> refusal = whyRefused(view.job, kind, target, group);
  if (group) describe(view, *kind, *target, *group);
  if (const auto* maker = kind ? kind->makerOf(owner.ns, ref.name, target) : nullptr) {
    setEnd(view, *maker);
    if (maker->trainer)
      view.shownLoss = shownLosses_[maker->uid].read(*maker, view.job.spec.loss, nameOf(ref, owner.ns));
  }
  const bool hasEnded = view.workers.succeeded || view.workers.failed || finished(view.status.state);
  if (!view.refusal && !hasEnded) view.refusal = std::move(refusal);
}

void Targets::describe(JobView& view, const Kind& kind, const Target& target, const WorkerGroup& group) {
  view.workers = workersOf(target, group, podsOf(kind, target, group));
  WorkersSpec& workers = view.job.spec.workers;
  workers.pod = group.pod;
  workers.target->group = group.name;
  std::optional<Workers>& pinned = view.job.spec.replicas;
  if (group.isFixed && pinned > Workers(0)) pinned.reset();
  if (auto both = narrowed(workers, group)) workers = std::move(*both);
  if (followNodes_) return;  // what its other pods hold is known from the nodes
  const Cores others = othersOf(kind, target, group);
  if (others <= Cores()) return;
  view.job.spec.driver.emplace().effective = others;
  view.driver = driverOf(target);
}

PodCounts Targets::podsOf(const Kind& kind, const Target& target, const WorkerGroup& group) {
  if (kind.is.jobLabel.empty()) return group.pods;
  PodCounts sum;
  for (const TargetJob* job : kind.jobs.by(target.key.name)) {
    if (job->key.ns != target.key.ns || job->group != group.name) continue;
    sum.active += job->pods.active;
    sum.ready += job->pods.ready;
    sum.terminating += job->pods.terminating;
  }
  return sum;
}

Cores Targets::othersOf(const Kind& kind, const Target& target, const WorkerGroup& group) {
  Cores sum = group.others;
  if (kind.is.jobLabel.empty()) return sum;
  for (const auto& each : target.groups) {
    if (each.name == group.name) continue;
    const PodCounts pods = podsOf(kind, target, each);
    sum += coresOf(each.pod) * (pods.ready + pods.terminating);
  }
  return sum;
}

void Targets::noteChange(const Target* before, const Target* after) {
  if (!after) {
    asked_.erase(before->uid);
    return;
  }
  const auto asked = asked_.find(after->uid);
  if (asked == asked_.end() || !before) return;
  const WorkerGroup* was = groupOf(*before, asked->second.group);
  const WorkerGroup* is = groupOf(*after, asked->second.group);
  if (!was || !is || was->desired == is->desired) return;
  // An object may be of two kinds, such as RayCluster and RayJob, and slaq sizes it as one of these.
  if (after->name.empty() || is->inelastic) return;
  const bool isOurs = is->manager.empty();  // made by this process or by another replica
  if (!isOurs && is->desired != asked->second.size) ++asked->second.undone;
}

std::optional<Targets::Asked> Targets::noteAsked(const std::string& uid, const TrainingJob& job, Workers to) {
  const auto known = asked_.find(uid);
  const std::optional<Asked> before = known == asked_.end() ? std::nullopt : std::optional(known->second);
  const bool isSame = before && before->job == job.uid && before->generation == job.generation;
  asked_[uid] = {.job = job.uid,
                 .group = job.spec.workers.target->group,
                 .generation = job.generation,
                 .size = to,
                 .undone = isSame ? before->undone : 0};
  return before;
}

Result<void> Targets::scale(client::Api& api, const TrainingJob& job, Workers to) {
  const TargetRef& ref = *job.spec.workers.target;
  std::unique_lock lock(mutex_);
  Kind* kind = kindOf(ref);
  const Target* found = kind ? kind->find(job.key.ns, ref.name) : nullptr;
  const WorkerGroup* group = found ? groupOf(*found, ref.group) : nullptr;
  if (!group) return failure(ErrorKind::Conflict, "there is no " + nameOf(ref, job.key.ns));
  if (group->desired == to || group->isFixed) return {};
  const std::string patch = sizePatch(*found, *group, kind->is, to);
  Target now = *found;  // a subresource does not answer with all of it
  // Before the patch is sent: the watch may show the next change of a user before the answer comes.
  const auto before = noteAsked(now.uid, job, to);
  lock.unlock();
  const client::Target object{sizedResource(kind->is), job.key.ns, now.key.name,
                              kind->is.hasScale ? "scale" : ""};
  const auto patched = api.patch(object, patch, client::PatchKind::Json);
  lock.lock();
  if (patched) {
    auto& sized = *std::ranges::find(now.groups, ref.group.empty() ? now.groups.front().name : ref.group,
                                     &WorkerGroup::name);
    const std::string& path = kind->is.hasScale ? kScalePath : sized.sizes.front();
    sized.desired = workersAt(*patched, path).value_or(to);
    sized.manager.clear();
    if (sized.desired != to) ++asked_[now.uid].undone;
    now.resourceVersion = json::resourceVersionOf(*patched);
    kind->objects.update(std::move(now));
    return {};
  }
  asked_.erase(now.uid);
  if (before) asked_.emplace(now.uid, *before);
  // After a conflict the watch shows the change, and the next epoch decides again.
  if (patched.error().kind == ErrorKind::NotFound)
    return failure(ErrorKind::Conflict, toString(object) + " is gone");
  return failure(patched.error());
}

}  // namespace slaq::kube::targets
