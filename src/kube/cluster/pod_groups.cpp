#include "kube/cluster/pod_groups.h"

#include <algorithm>
#include <string_view>

#include "kube/cluster/child_writer.h"
#include "kube/json/metadata.h"

namespace slaq::kube::cluster {
namespace {

bool isUnavailable(ErrorKind kind) { return kind == ErrorKind::NotFound || kind == ErrorKind::Forbidden; }

client::Target targetOf(const objects::StoredJob& stored) {
  return {client::kPodGroups, stored.key.ns, stored.key.name};
}

}  // namespace

Result<std::optional<objects::Gang>> PodGroups::start(const objects::StoredJob& stored,
                                                      const TrainingJob& job, Workers count) {
  const auto workers = store_.child(stored.key, stored.uid, objects::Role::Workers);
  const auto driver = store_.child(stored.key, stored.uid, objects::Role::Driver);
  if (workers && (!workers->isInGroup || !workers->suspended)) return std::nullopt;
  // A worker that has ended comes back in no later start.
  const Workers done = workers ? workers->done : Workers(0);
  const auto gang = objects::gangOf(job, std::max(Workers(1), count - done), !driver || driver->isInGroup);
  const bool isOnePod = gang && gang->minCount == 1 && !workers;
  if (!gang || isOnePod) return std::nullopt;
  const auto made = ensure(stored, *gang);
  // Pods that are members already would wait for a group that they may not have.
  if (!made && made.error().kind == ErrorKind::Forbidden && !workers) return std::nullopt;
  if (!made) return failure(made.error());
  if (!*made) return std::nullopt;
  return gang;
}

Result<bool> PodGroups::ensure(const objects::StoredJob& stored, const objects::Gang& gang) {
  if (hasNone_) return false;
  note(stored.uid, false);
  const auto created = api_.create(targetOf(stored), objects::podGroupBody(stored.job, gang));
  if (!created && created.error().kind == ErrorKind::NotFound) {
    hasNone_ = true;
    return false;
  }
  if (!created) return failure(created.error());
  if (*created) return true;
  const auto own = readOwn(api_, stored, targetOf(stored));
  if (!own) return failure(own.error());
  // It goes once its last pod is gone, and new pods would wait for it.
  if (json::isBeingDeleted(*own))
    return failure(ErrorKind::Conflict, toString(targetOf(stored)) + " is being deleted");
  const auto set = setMinCount(stored, *own, gang.minCount);
  if (!set) return failure(set.error());
  return true;
}

void PodGroups::loosen(const objects::StoredJob& stored, Workers ready) {
  const auto workers = store_.child(stored.key, stored.uid, objects::Role::Workers);
  if (!workers || !workers->isInGroup || workers->suspended || isLoose(stored.uid)) return;
  if (ready + workers->done < std::min(stored.job.spec.workers.min, workers->parallelism)) return;
  const auto found = api_.get(targetOf(stored));
  const bool isOwn = found && json::controllerOf(*found) == stored.uid;
  const auto set = isOwn ? setMinCount(stored, *found, 1) : Result<void>();
  const Result<void> done = found ? set : failure(found.error());
  // After an outage slaq tries again at the next status. A group that is missing or forbidden stays so.
  if (done || isUnavailable(done.error().kind)) note(stored.uid, true);
}

Result<void> PodGroups::setMinCount(const objects::StoredJob& stored, const rapidjson::Value& group,
                                    int minCount) {
  if (objects::minCountOf(group) == minCount) return {};
  const auto patched = api_.patch(targetOf(stored), objects::minCountPatch(group, minCount));
  if (!patched && patched.error().kind == ErrorKind::NotFound)
    return failure(ErrorKind::Conflict, toString(targetOf(stored)) + " is gone");
  if (!patched) return failure(patched.error());
  return {};
}

bool PodGroups::isLoose(const std::string& uid) {
  const std::lock_guard lock(mutex_);
  return loose_.contains(uid);
}

void PodGroups::note(const std::string& uid, bool isLoose) {
  const std::lock_guard lock(mutex_);
  if (isLoose) {
    loose_.insert(uid);
  } else {
    loose_.erase(uid);
  }
}

void PodGroups::retain(const ClusterView& view) {
  std::set<std::string_view> uids;
  for (const auto& each : view.jobs) uids.insert(each.job.uid);
  const std::lock_guard lock(mutex_);
  std::erase_if(loose_, [&](const std::string& uid) { return !uids.contains(uid); });
}

void PodGroups::forget() {
  const std::lock_guard lock(mutex_);
  loose_.clear();
}

}  // namespace slaq::kube::cluster
