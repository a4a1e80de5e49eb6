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

StoredJob readStoredJob(const rapidjson::Value& trainingJob) {
  auto [job, violations] = readTrainingJob(trainingJob, UnknownFields::Ignore);
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

template <class Object>
void Store::Sink<Object>::beginList() {
  listing_ = true;
  const std::lock_guard lock(store_.mutex_);
  objects_.beginList();
}

template <class Object>
void Store::Sink<Object>::endList() {
  listing_ = false;
  {
    const std::lock_guard lock(store_.mutex_);
    objects_.endList();
  }
  store_.changed_();
}

template <class Object>
void Store::Sink<Object>::upsert(const rapidjson::Value& object) {
  Object read = read_(object);
  {
    const std::lock_guard lock(store_.mutex_);
    listing_ ? objects_.list(std::move(read)) : objects_.learn(std::move(read));
  }
  if (!listing_) store_.changed_();
}

template <class Object>
void Store::Sink<Object>::remove(const rapidjson::Value& object) {
  {
    const std::lock_guard lock(store_.mutex_);
    objects_.remove({stringAt(object, {"metadata", "namespace"}), stringAt(object, {"metadata", "name"})},
                    stringAt(object, {"metadata", "uid"}));
  }
  store_.changed_();
}

Store::Store(std::function<void()> changed) : changed_(std::move(changed)) {}

void Store::learnJob(const rapidjson::Value& trainingJob) {
  StoredJob read = readStoredJob(trainingJob);
  const std::lock_guard lock(mutex_);
  jobs_.learn(std::move(read));
}

void Store::learnChild(const rapidjson::Value& job) {
  ChildJob read = readChild(job);
  const std::lock_guard lock(mutex_);
  children_.learn(std::move(read));
}

bool Store::synced() const {
  const std::lock_guard lock(mutex_);
  return jobs_.synced() && children_.synced();
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

JobView Store::viewOf(const StoredJob& stored) const {
  JobView out;
  out.job = stored.job;
  out.status = stored.status;
  const auto* workers = findChild(stored.key, stored.uid, Role::Workers);
  const auto* driver = findChild(stored.key, stored.uid, Role::Driver);
  if (workers) out.workers = workersView(*workers);
  if (driver) out.driver = driverView(*driver);
  const auto* chief = chiefRole(stored.job.spec) == Role::Driver ? driver : workers;
  if (chief && chief->active > Workers(0)) out.metricsEndpoint = endpointOf(stored.job);
  if (!stored.violations.empty()) out.refusal = sentences(stored.violations);
  return out;
}

ClusterView Store::view(Time now) const {
  const std::lock_guard lock(mutex_);
  ClusterView out;
  out.time = now;
  out.jobs.reserve(jobs_.all().size());
  std::set<std::string_view> owners;
  for (const auto& [key, stored] : jobs_.all()) {
    out.jobs.push_back(viewOf(stored));
    owners.insert(stored.uid);
  }
  for (const auto& [key, child] : children_.all()) {
    if (child.deleting || !owners.contains(child.ownerUid)) out.leaving += coresHeld(child);
  }
  return out;
}

}  // namespace slaq::kube
