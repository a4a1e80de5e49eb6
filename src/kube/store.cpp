#include "kube/store.h"

#include <set>
#include <string_view>
#include <utility>

#include "kube/json_fields.h"
#include "kube/names.h"
#include "manifest/manifest.h"

namespace slaq::kube {
namespace {

std::string sentences(const std::vector<Violation>& violations) {
  std::string out;
  for (const auto& [path, message] : violations) {
    if (!out.empty()) out += "; ";
    out += path + " " + message;
  }
  return out;
}

std::string endpointOf(const TrainingJob& job) {
  return chiefHost(job) + ":" + std::to_string(metricsPort(job.spec));
}

}  // namespace

StoredJob readStoredJob(const rapidjson::Value& trainingJob, std::string_view resource) {
  auto [job, violations] = readTrainingJob(trainingJob, UnknownFields::Ignore, resource);
  StoredJob out;
  out.key = job.key;
  out.uid = job.uid;
  out.resourceVersion = stringAt(trainingJob, {"metadata", "resourceVersion"});
  out.selector = stringAt(trainingJob, {"status", "selector"});
  if (const auto* status = at(trainingJob, {"status"})) out.status = readStatus(*status);
  out.workersDocument = std::exchange(job.spec.workers.pod.document, {});
  if (job.spec.driver) out.driverDocument = std::exchange(job.spec.driver->document, {});
  out.job = std::move(job);
  out.violations = std::move(violations);
  return out;
}

TrainingJob wholeJob(const StoredJob& stored) {
  TrainingJob out = stored.job;
  out.spec.workers.pod.document = stored.workersDocument;
  if (out.spec.driver) out.spec.driver->document = stored.driverDocument;
  return out;
}

Store::Store(std::function<void()> news, std::string resource)
    : resource_(std::move(resource)),
      news_(std::move(news)),
      jobSink_(
          mutex_, jobs_, [this](const auto& each) { return read(each); }, news_),
      childSink_(
          mutex_, children_, [this](const auto& each) { return readChild(each, resource_); }, news_),
      podSink_(mutex_, pods_, [this](const auto& each) { return readOwnPod(each, resource_); }) {}

void Store::learnJob(const rapidjson::Value& trainingJob) {
  StoredJob read = readStoredJob(trainingJob, resource_);
  const std::lock_guard lock(mutex_);
  jobs_.learn(std::move(read));
}

void Store::learnChild(const rapidjson::Value& job) {
  ChildJob read = readChild(job, resource_);
  bool isNews = false;
  {
    const std::lock_guard lock(mutex_);
    isNews = children_.learn(std::move(read));
  }
  if (isNews) news_();
}

void Store::learnPod(const rapidjson::Value& pod) {
  OwnPod read = readOwnPod(pod, resource_);
  const std::lock_guard lock(mutex_);
  pods_.learn(std::move(read));
}

bool Store::synced() const {
  const std::lock_guard lock(mutex_);
  return jobs_.synced() && children_.synced() && pods_.synced();
}

std::optional<StoredJob> Store::job(const JobKey& key) const {
  const std::lock_guard lock(mutex_);
  const auto* found = jobs_.find(key);
  return found ? std::optional(*found) : std::nullopt;
}

const ChildJob* Store::findChild(const JobKey& job, const std::string& owner, Role role) const {
  const auto* found = children_.find({job.ns, childName(job.name, role)});
  return found && found->ownerUid == owner && !found->deleting ? found : nullptr;
}

std::optional<ChildJob> Store::child(const JobKey& job, const std::string& owner, Role role) const {
  const std::lock_guard lock(mutex_);
  const auto* found = findChild(job, owner, role);
  return found ? std::optional(*found) : std::nullopt;
}

std::vector<OwnPod> Store::podsOf(const std::string& controller) const {
  const std::lock_guard lock(mutex_);
  std::vector<OwnPod> out;
  for (const auto& [key, pod] : pods_.all()) {
    if (pod.controller == controller) out.push_back(pod);
  }
  return out;
}

std::map<std::string, Cores> Store::coresByNode() const {
  const std::lock_guard lock(mutex_);
  std::map<std::string, Cores> out;
  for (const auto& [key, pod] : pods_.all()) {
    if (!pod.ended && !pod.node.empty()) out[pod.node] += pod.cores;
  }
  return out;
}

Store::PodsByJob Store::podsByJob() const {
  PodsByJob out;
  for (const auto& [key, pod] : pods_.all()) out[pod.controller].push_back(&pod);
  return out;
}

JobView Store::viewOf(const StoredJob& stored, const PodsByJob& pods) const {
  JobView out;
  out.job = stored.job;
  out.status = stored.status;
  const auto* workers = findChild(stored.key, stored.uid, Role::Workers);
  const auto* driver = findChild(stored.key, stored.uid, Role::Driver);
  const Role chief = chiefRole(stored.job.spec);
  if (workers) {
    const auto known = pods.find(workers->uid);
    const Pods& own = known == pods.end() ? Pods() : known->second;
    out.workers = workersView(*workers);
    out.workers.obstacle = obstacleOf(*workers, own);
    if (chief == Role::Workers) out.workers.failures = failuresOf(0, own);
    const bool byCpu = stored.job.spec.workers.scaling == Scaling::CPU;
    if (byCpu && (runs(out.workers) || anyHolds(own))) {
      out.workers.cpu = cpuView(*workers, stored.job.spec.workers.pod, own);
    }
  }
  if (driver) out.driver = driverView(*driver);
  const auto* chiefsJob = chief == Role::Driver ? driver : workers;
  if (chiefsJob && chiefsJob->active > Workers(0)) out.metricsEndpoint = endpointOf(stored.job);
  if (!stored.violations.empty()) out.refusal = sentences(stored.violations);
  return out;
}

ClusterView Store::view(Time now) const {
  const std::lock_guard lock(mutex_);
  ClusterView out;
  out.time = now;
  out.jobs.reserve(jobs_.all().size());
  const auto pods = podsByJob();
  for (const auto& [key, stored] : jobs_.all()) out.jobs.push_back(viewOf(stored, pods));
  out.leaving = leaving(pods);
  return out;
}

Cores Store::leaving(const PodsByJob& pods) const {
  std::set<std::string_view> owners;
  for (const auto& [key, stored] : jobs_.all()) owners.insert(stored.uid);
  std::set<std::string_view> staying;  // Jobs that their TrainingJob's view accounts for
  Cores sum;
  for (const auto& [key, child] : children_.all()) {
    const bool stays = !child.deleting && owners.contains(child.ownerUid);
    if (stays) staying.insert(child.uid);
    // What the Job says may be newer than what is known of its pods.
    if (!stays && !pods.contains(child.uid)) sum += coresHeld(child);
  }
  for (const auto& [controller, own] : pods) {
    if (!staying.contains(controller)) sum += coresOf(own);
  }
  return sum;
}

}  // namespace slaq::kube
