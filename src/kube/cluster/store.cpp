#include "kube/cluster/store.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "kube/objects/names.h"

namespace slaq::kube::cluster {
namespace {

// Longer than most pods are given to end.
constexpr Seconds kEndingAtTheStart{60};

bool holdsCores(const pods::OwnPod& pod) { return !pod.ended && !pod.node.empty(); }

}  // namespace

Store::Store(StoreHooks hooks, std::string resource)
    : resource_(std::move(resource)),
      hooks_(std::move(hooks)),
      children_(&objects::ChildJob::ownerUid, objects::endsTraining,
                [this](const auto* before, const auto* after) { noteChild(before, after); }),
      pods_(
          &pods::OwnPod::controller, [](const auto&) { return true; },
          [this](const auto* before, const auto* after) { notePod(before, after); }),
      jobSink_(
          mutex_, jobs_, [this](const auto& each) { return read(each); }, hooks_.triggerEpoch),
      childSink_(
          mutex_, children_, [this](const auto& each) { return objects::readChild(each, resource_); },
          hooks_.triggerEpoch),
      podSink_(mutex_, pods_, [this](const auto& each) { return pods::readOwnPod(each, resource_); }),
      failedCreateSink_(mutex_, failedCreates_, pods::readFailedCreate) {}

void Store::updateJob(const rapidjson::Value& trainingJob) {
  objects::StoredJob read = objects::readStoredJob(trainingJob, resource_);
  const std::lock_guard lock(mutex_);
  jobs_.update(std::move(read));
}

void Store::updateChild(const rapidjson::Value& job) {
  objects::ChildJob read = objects::readChild(job, resource_);
  std::unique_lock lock(mutex_);
  const bool isNew = children_.update(std::move(read));
  lock.unlock();
  if (isNew) hooks_.triggerEpoch();
}

void Store::updatePod(const rapidjson::Value& pod) {
  pods::OwnPod read = pods::readOwnPod(pod, resource_);
  const std::lock_guard lock(mutex_);
  pods_.update(std::move(read));
}

bool Store::synced() const {
  const std::lock_guard lock(mutex_);
  return jobs_.synced() && children_.synced() && pods_.synced();
}

std::uint64_t Store::changes() const {
  const std::lock_guard lock(mutex_);
  return children_.changes() + pods_.changes();
}

std::optional<objects::StoredJob> Store::job(const JobKey& key) const {
  const std::lock_guard lock(mutex_);
  const auto* found = jobs_.find(key);
  return found ? std::optional(*found) : std::nullopt;
}

const objects::ChildJob* Store::findChild(const JobKey& job, const std::string& owner,
                                          objects::Role role) const {
  const auto* found = children_.find({job.ns, objects::childName(job.name, role)});
  return found && found->ownerUid == owner && !found->deleting ? found : nullptr;
}

std::optional<objects::ChildJob> Store::child(const JobKey& job, const std::string& owner,
                                              objects::Role role) const {
  const std::lock_guard lock(mutex_);
  const auto* found = findChild(job, owner, role);
  return found ? std::optional(*found) : std::nullopt;
}

std::vector<pods::OwnPod> Store::podsOf(const objects::ChildJob& child) const {
  const std::lock_guard lock(mutex_);
  std::vector<pods::OwnPod> out;
  for (const auto* pod : podsIn(child.key.ns, child.uid)) out.push_back(*pod);
  return out;
}

Store::CoresByNode Store::coresByNode() const {
  const std::lock_guard lock(mutex_);
  CoresByNode out;
  for (const auto& [key, pod] : pods_.all()) {
    if (!holdsCores(pod)) continue;
    auto& nodes = isOurs(pod) ? out.own : out.strange;
    nodes[pod.node] += pod.cores;
  }
  return out;
}

const objects::ChildJob* Store::childOf(const objects::StoredJob& owner, objects::Role role) const {
  const auto& children = children_.by(owner.uid);
  if (children.empty()) return nullptr;
  const JobKey key{owner.key.ns, objects::childName(owner.key.name, role)};
  const auto found =
      std::ranges::find_if(children, [&](const auto* each) { return each->key == key && !each->deleting; });
  return found == children.end() ? nullptr : *found;
}

bool Store::isChild(const objects::ChildJob& child) const {
  return std::ranges::any_of(jobs_.by(child.ownerUid), [&](const auto* owner) {
    const auto isNamed = [&](objects::Role role) {
      return child.key == JobKey{owner->key.ns, objects::childName(owner->key.name, role)};
    };
    return !child.deleting && (isNamed(objects::Role::Workers) || isNamed(objects::Role::Driver));
  });
}

objects::Pods Store::podsIn(const std::string& ns, const std::string& controller) const {
  objects::Pods out;
  std::ranges::copy_if(pods_.by(controller), std::back_inserter(out),
                       [&](const auto* pod) { return pod->key.ns == ns; });
  return out;
}

// A pod of another namespace may name any owner.
bool Store::isOurs(const pods::OwnPod& pod) const {
  const auto child = known_.find(pod.controller);
  return child != known_.end() && child->second == pod.key.ns;
}

// Once a pod was seen, its request is the cost of every pod, even while none lives.
void Store::setEffectiveCores(JobView& view, const objects::Pods& workers, const objects::Pods& driver) {
  Effective& effective = effective_[view.job.uid];
  if (const auto seen = objects::coresOfEach(workers)) effective.worker = seen;
  if (const auto seen = objects::coresOfEach(driver)) effective.driver = seen;
  JobSpec& spec = view.job.spec;
  if (effective.worker && spec.workers.scaling == Scaling::Replicas)
    spec.workers.pod.effective = effective.worker;
  if (effective.driver && spec.driver) spec.driver->effective = effective.driver;
}

std::optional<std::string> Store::obstacleTo(const objects::ChildJob& child,
                                             const objects::Pods& pods) const {
  if (auto obstacle = objects::obstacleOf(pods)) return obstacle;
  const auto living = std::ranges::count_if(pods, [](const auto* pod) { return pods::lives(*pod); });
  if (living >= child.parallelism.value()) return std::nullopt;
  // Once a pod was created, refusals from before do not apply to the next one.
  Time since = hooks_.now() - pods::kFailedCreateLasts;
  for (const auto* pod : pods) since = std::max(since, pod->created);
  const pods::FailedCreate* newest = nullptr;
  for (const auto* each : failedCreates_.by(child.uid)) {
    const bool isNewer = !newest || watch::olderVersion(newest->resourceVersion, each->resourceVersion);
    if (each->key.ns == child.key.ns && each->last >= since && isNewer) newest = each;
  }
  return newest ? std::optional("no pod can be created: " + newest->message) : std::nullopt;
}

WorkersView Store::workersOf(const objects::ChildJob& workers, const objects::StoredJob& stored,
                             const objects::Pods& pods) const {
  const JobSpec& spec = stored.job.spec;
  WorkersView out = objects::workersView(workers);
  objects::countPods(out, pods);
  consistency::addUnseen(out, unseen_.of(workers, hooks_.now()), pods);
  if (const auto changed = readyChanged_.find({workers.key.ns, workers.uid}); changed != readyChanged_.end())
    out.readyChanged = changed->second;
  if (runs(out)) out.obstacle = obstacleTo(workers, pods);
  out.fault = objects::faultOf(workers, pods);
  if (objects::chiefRole(spec) == objects::Role::Workers) objects::countFailures(out, pods);
  if (spec.workers.scaling == Scaling::CPU && (runs(out) || objects::anyHolds(pods)))
    out.cpu = cpuView(workers, spec.workers, isStarting(stored), pods);
  return out;
}

DriverView Store::driverOf(const objects::ChildJob& driver, const objects::Pods& pods) const {
  DriverView out = objects::driverView(driver);
  objects::countPods(out, pods);
  out.terminating |= unseen_.of(driver, hooks_.now()) > Workers(0);
  if (!driver.suspended && !objects::hasEnded(driver)) out.obstacle = obstacleTo(driver, pods);
  return out;
}

JobView Store::viewOf(const objects::StoredJob& stored) {
  JobView out;
  out.job = stored.job;
  out.status = stored.status;
  const auto* workers = childOf(stored, objects::Role::Workers);
  const auto* driver = childOf(stored, objects::Role::Driver);
  const objects::Role chief = objects::chiefRole(stored.job.spec);
  const auto podsOf = [&](const objects::ChildJob* child) {
    return child ? podsIn(child->key.ns, child->uid) : objects::Pods();
  };
  const objects::Pods ofWorkers = podsOf(workers);
  const objects::Pods ofDriver = podsOf(driver);
  setEffectiveCores(out, ofWorkers, ofDriver);
  if (workers) missed_.look(*workers, ofWorkers, hooks_.monotonic());
  if (driver) missed_.look(*driver, ofDriver, hooks_.monotonic());
  if (workers) out.workers = workersOf(*workers, stored, ofWorkers);
  if (driver) out.driver = driverOf(*driver, ofDriver);
  out.chiefEnd = objects::mainEndOf(chief == objects::Role::Driver ? ofDriver : ofWorkers, hooks_.now());
  const auto* chiefsJob = chief == objects::Role::Driver ? driver : workers;
  if (chiefsJob && chiefsJob->active > Workers(0)) out.metricsEndpoint = objects::metricsEndpoint(stored.job);
  out.refusal = objects::refusalOf(stored);
  return out;
}

void Store::noteChild(const objects::ChildJob* before, const objects::ChildJob* after) {
  if (before && after) unseen_.noteChange(*before, *after, podsIn(before->key.ns, before->uid), hooks_.now());
  if (foreign_.noteChange(before, after)) hooks_.resizedByOther();
}

void Store::notePod(const pods::OwnPod* before, const pods::OwnPod* after) {
  if (after) unseen_.noteSeen(*after);
  const bool was = before && pods::isReady(*before);
  const bool is = after && pods::isReady(*after);
  const auto& pod = after ? *after : *before;
  if (was != is) readyChanged_[{pod.key.ns, pod.controller}] = hooks_.now();
}

void Store::noteOwners(Time now) {
  const std::lock_guard lock(mutex_);
  noteOwnersLocked(now);
}

void Store::noteOwnersLocked(Time now) {
  noteEnding(now);
  for (const auto& [key, child] : children_.all()) {
    const auto known = known_.find(child.uid);
    if ((known == known_.end() || known->second != key.ns) && isChild(child)) known_[child.uid] = key.ns;
  }
  forgetChildren();
}

// Ending pods are waited for as if they were slaq's, but not for long: other people's pods can have such
// labels.
void Store::noteEnding(Time now) {
  if (!endingUntil_ && jobs_.synced() && children_.synced() && pods_.synced()) {
    endingUntil_ = now + kEndingAtTheStart;
    for (const auto& [key, pod] : pods_.all()) {
      if (!pod.leaving || !known_.emplace(pod.controller, key.ns).second) continue;
      ending_.insert(pod.controller);
    }
  }
  if (!endingUntil_ || now < *endingUntil_) return;
  for (const auto& uid : ending_) known_.erase(uid);  // children are noted again
  ending_.clear();
}

void Store::forgetChildren() {
  std::unordered_set<std::string> gone;
  for (const auto& [uid, ns] : known_) {
    if (pods_.by(uid).empty()) gone.insert(uid);
  }
  if (!gone.empty()) {
    for (const auto& [key, child] : children_.all()) gone.erase(child.uid);
  }
  for (const auto& uid : gone) known_.erase(uid);
  // Forgets objects that are gone, once there are more entries than existing objects.
  if (readyChanged_.size() > children_.all().size())
    std::erase_if(readyChanged_, [&](const auto& each) { return pods_.by(each.first.second).empty(); });
  unseen_.forget(hooks_.now());
  missed_.retain([&](const std::string& uid) { return known_.contains(uid); });
  if (effective_.size() <= jobs_.all().size()) return;
  std::erase_if(effective_, [&](const auto& each) { return jobs_.by(each.first).empty(); });
}

ClusterView Store::view(Time now) {
  const std::lock_guard lock(mutex_);
  ClusterView out;
  out.time = now;
  out.jobs.reserve(jobs_.all().size());
  noteOwnersLocked(now);
  for (const auto& [key, stored] : jobs_.all()) out.jobs.push_back(viewOf(stored));
  if (const auto since = missed_.takeListWanted(hooks_.monotonic())) hooks_.podsMissed(*since);
  out.leaving = leaving();
  return out;
}

Cores Store::leaving() const {
  std::unordered_set<std::string_view> staying;  // child Jobs that a TrainingJob's view includes
  Cores sum;
  for (const auto& [key, child] : children_.all()) {
    if (!child.deleting && !jobs_.by(child.ownerUid).empty()) {
      staying.insert(child.uid);
    } else if (known_.contains(child.uid) && podsIn(key.ns, child.uid).empty()) {
      sum += coresHeld(child);  // a Job's counts may be newer than the known pods
    }
  }
  for (const auto& [uid, ns] : known_) {
    if (staying.contains(uid)) continue;
    for (const auto* pod : podsIn(ns, uid)) sum += holdsCores(*pod) ? pod->cores : Cores();
  }
  return sum;
}

}  // namespace slaq::kube::cluster
