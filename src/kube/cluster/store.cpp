#include "kube/cluster/store.h"

#include <algorithm>
#include <ranges>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "kube/objects/names.h"

namespace slaq::kube::cluster {
namespace {

std::string sentences(const std::vector<Violation>& violations) {
  std::string out;
  for (const auto& [path, message] : violations) {
    if (!out.empty()) out += "; ";
    out += path + " " + message;
  }
  return out;
}

// More than what most pods are given to end.
constexpr Seconds kEndingAtTheStart{60};

bool holdsCores(const pods::OwnPod& pod) { return !pod.ended && !pod.node.empty(); }

// The one of that role among the children of its owner, as Store::findChild has it.
template <class Children>
const objects::ChildJob* childIn(const Children& children, const objects::StoredJob& owner,
                                 objects::Role role) {
  const auto [first, last] = children.equal_range(owner.uid);
  if (first == last) return nullptr;
  const JobKey key{owner.key.ns, objects::childName(owner.key.name, role)};
  const auto found = std::find_if(first, last, [&](const auto& each) { return each.second->key == key; });
  return found == last ? nullptr : found->second;
}

std::string endpointOf(const TrainingJob& job) {
  return objects::chiefHost(job) + ":" + std::to_string(objects::metricsPort(job.spec));
}

}  // namespace

Store::Store(std::function<void()> triggerEpoch, std::string resource)
    : resource_(std::move(resource)),
      triggerEpoch_(std::move(triggerEpoch)),
      jobSink_(
          mutex_, jobs_, [this](const auto& each) { return read(each); }, triggerEpoch_),
      childSink_(
          mutex_, children_, [this](const auto& each) { return objects::readChild(each, resource_); },
          triggerEpoch_),
      podSink_(mutex_, pods_, [this](const auto& each) { return pods::readOwnPod(each, resource_); }) {}

void Store::updateJob(const rapidjson::Value& trainingJob) {
  objects::StoredJob read = objects::readStoredJob(trainingJob, resource_);
  const std::lock_guard lock(mutex_);
  jobs_.update(std::move(read));
}

void Store::updateChild(const rapidjson::Value& job) {
  objects::ChildJob read = objects::readChild(job, resource_);
  bool isNew = false;
  {
    const std::lock_guard lock(mutex_);
    isNew = children_.update(std::move(read));
  }
  if (isNew) triggerEpoch_();
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

std::vector<pods::OwnPod> Store::podsOf(const std::string& controller) const {
  const std::lock_guard lock(mutex_);
  std::vector<pods::OwnPod> out;
  for (const auto& [key, pod] : pods_.all()) {
    if (pod.controller == controller) out.push_back(pod);
  }
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

Store::PodsByJob Store::podsByJob() const {
  PodsByJob out;
  for (const auto& [key, pod] : pods_.all()) {
    if (isOurs(pod)) out[pod.controller].push_back(&pod);
  }
  return out;
}

Store::ChildrenByOwner Store::childrenByOwner() const {
  ChildrenByOwner out;
  out.reserve(children_.all().size());
  for (const auto& [key, child] : children_.all()) {
    if (!child.deleting && !child.ownerUid.empty()) out.emplace(child.ownerUid, &child);
  }
  return out;
}

// A pod of another namespace may name any owner.
bool Store::isOurs(const pods::OwnPod& pod) const {
  const auto child = known_.find(pod.controller);
  return child != known_.end() && child->second == pod.key.ns;
}

// Once a pod was seen, what it requests is what all cost, also while none lives.
void Store::setEffectiveCores(JobView& view, const objects::Pods& workers, const objects::Pods& driver) {
  Effective& effective = effective_[view.job.uid];
  if (const auto seen = objects::coresOfEach(workers)) effective.worker = seen;
  if (const auto seen = objects::coresOfEach(driver)) effective.driver = seen;
  JobSpec& spec = view.job.spec;
  if (effective.worker && spec.workers.scaling == Scaling::Replicas)
    spec.workers.pod.effective = effective.worker;
  if (effective.driver && spec.driver) spec.driver->effective = effective.driver;
}

JobView Store::viewOf(const objects::StoredJob& stored, const ChildrenByOwner& children,
                      const PodsByJob& pods) {
  JobView out;
  out.job = stored.job;
  out.status = stored.status;
  const auto* workers = childIn(children, stored, objects::Role::Workers);
  const auto* driver = childIn(children, stored, objects::Role::Driver);
  const objects::Role chief = objects::chiefRole(stored.job.spec);
  const auto podsOf = [&](const objects::ChildJob* child) {
    const auto known = child ? pods.find(child->uid) : pods.end();
    return known == pods.end() ? objects::Pods() : known->second;
  };
  const objects::Pods own = podsOf(workers);
  setEffectiveCores(out, own, podsOf(driver));
  if (workers) {
    out.workers = objects::workersView(*workers);
    out.workers.ready = objects::readyOf(own);
    out.workers.obstacle = obstacleOf(*workers, own);
    if (chief == objects::Role::Workers) out.workers.failures = objects::failuresOf(0, own);
    const bool byCpu = stored.job.spec.workers.scaling == Scaling::CPU;
    if (byCpu && (runs(out.workers) || objects::anyHolds(own))) {
      out.workers.cpu = cpuView(*workers, stored.job.spec.workers.pod, own);
    }
  }
  if (driver) out.driver = objects::driverView(*driver);
  const auto* chiefsJob = chief == objects::Role::Driver ? driver : workers;
  if (chiefsJob && chiefsJob->active > Workers(0)) out.metricsEndpoint = endpointOf(stored.job);
  if (!stored.violations.empty()) out.refusal = sentences(stored.violations);
  return out;
}

void Store::noteOwners(Time now) {
  const std::lock_guard lock(mutex_);
  static_cast<void>(noteOwnersLocked(now, childrenByOwner()));
}

Store::PodsByJob Store::noteOwnersLocked(Time now, const ChildrenByOwner& children) {
  noteEnding(now);
  noteChildren(children);
  auto pods = podsByJob();
  forgetChildren(pods);
  return pods;
}

// They are waited for as if they were ours, though not for long: other people's pods can have such labels.
void Store::noteEnding(Time now) {
  if (!endingUntil_ && jobs_.synced() && children_.synced() && pods_.synced()) {
    endingUntil_ = now + kEndingAtTheStart;
    for (const auto& [key, pod] : pods_.all()) {
      if (!pod.leaving || !known_.emplace(pod.controller, key.ns).second) continue;
      ending_.insert(pod.controller);
    }
  }
  if (!endingUntil_ || now < *endingUntil_) return;
  for (const auto& uid : ending_) known_.erase(uid);  // those of children are noted again
  ending_.clear();
}

void Store::noteChildren(const ChildrenByOwner& children) {
  const bool areKnown = std::ranges::all_of(
      children_.all(), [&](const auto& each) { return known_.contains(each.second.uid); });
  if (areKnown) return;
  for (const auto& [key, stored] : jobs_.all()) {
    for (const auto role : {objects::Role::Workers, objects::Role::Driver}) {
      if (const auto* child = childIn(children, stored, role)) known_[child->uid] = key.ns;
    }
  }
}

void Store::forgetChildren(const PodsByJob& pods) {
  std::unordered_set<std::string> gone;
  for (const auto& [uid, ns] : known_) {
    if (!pods.contains(uid)) gone.insert(uid);
  }
  if (!gone.empty()) {
    for (const auto& [key, child] : children_.all()) gone.erase(child.uid);
  }
  for (const auto& uid : gone) known_.erase(uid);
  // Of jobs that are gone no more is kept than of those that exist.
  if (effective_.size() <= jobs_.all().size()) return;
  std::unordered_set<std::string_view> jobs;
  for (const auto& [key, stored] : jobs_.all()) jobs.insert(stored.uid);
  std::erase_if(effective_, [&](const auto& each) { return !jobs.contains(each.first); });
}

ClusterView Store::view(Time now) {
  const std::lock_guard lock(mutex_);
  ClusterView out;
  out.time = now;
  out.jobs.reserve(jobs_.all().size());
  const auto children = childrenByOwner();
  const auto pods = noteOwnersLocked(now, children);
  for (const auto& [key, stored] : jobs_.all()) out.jobs.push_back(viewOf(stored, children, pods));
  out.leaving = leaving(pods);
  return out;
}

Cores Store::leaving(const PodsByJob& pods) const {
  std::unordered_set<std::string_view> owners;
  for (const auto& [key, stored] : jobs_.all()) owners.insert(stored.uid);
  const auto stays = [&](const auto& child) { return !child.deleting && owners.contains(child.ownerUid); };
  const auto staysKnown = [&](const auto& child) { return stays(child) && known_.contains(child.uid); };
  const auto count = std::ranges::count_if(std::views::values(children_.all()), staysKnown);
  if (static_cast<std::size_t>(count) == known_.size()) return {};  // in most epochs
  std::unordered_set<std::string_view> staying;  // child Jobs that a TrainingJob's view includes
  Cores sum;
  for (const auto& [key, child] : children_.all()) {
    if (stays(child)) {
      staying.insert(child.uid);
    } else if (known_.contains(child.uid) && !pods.contains(child.uid)) {
      sum += coresHeld(child);  // a Job's counts may be newer than the known pods
    }
  }
  for (const auto& [controller, own] : pods) {
    if (staying.contains(controller) || !known_.contains(std::string(controller))) continue;
    for (const auto* pod : own) sum += holdsCores(*pod) ? pod->cores : Cores();
  }
  return sum;
}

}  // namespace slaq::kube::cluster
