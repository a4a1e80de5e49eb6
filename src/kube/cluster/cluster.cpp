#include "kube/cluster/cluster.h"

#include "kube/json/json_fields.h"
#include "kube/json/metadata.h"
#include "kube/objects/names.h"
#include "kube/objects/runbooks.h"
#include "kube/objects/status_patch.h"
#include "kube/pods/worker_cpu.h"

namespace slaq::kube::cluster {
namespace {

// An API server in good order lists a collection within a second. It never lists kinds that it does not know,
// those of targets and Kueue's, nor quotas without the right to.
constexpr Seconds kLongestListing{15};

constexpr const char* kNoReportImage =
    "spec.loss.from needs an image with slaq-report; the administrator names it by reportImage";

tl::unexpected<Error> unknownJob(const JobKey& key) {
  return failure(ErrorKind::NotFound, "there is no TrainingJob " + toString(key));
}

Result<void> checkStartable(const objects::StoredJob& stored, const std::string& reportImage) {
  if (!stored.violations.empty()) {
    return failure(ErrorKind::Invalid,
                   stored.violations.front().path + " " + stored.violations.front().message);
  }
  if (stored.job.deleting) return failure(ErrorKind::Conflict, toString(stored.key) + " is being deleted");
  if (stored.job.spec.workers.target) return failure(ErrorKind::Conflict, "the job's target has no workers");
  if (stored.job.spec.loss.from && reportImage.empty()) return failure(ErrorKind::Invalid, kNoReportImage);
  return {};
}

// A job that runs although its label asks for a queue goes on.
void refuseQueues(ClusterView& view) {
  for (auto& each : view.jobs) {
    if (each.job.queue.empty() || each.refusal || runs(each.workers)) continue;
    each.refusal =
        std::string("the label ") + kQueueLabel +
        " asks for a queue of Kueue; the administrator has to set config.kueue.enabled, or remove the "
        "label";
  }
}

// Errors that a retry would not change. The user sees them in the status.
bool refused(ErrorKind kind) {
  return kind == ErrorKind::Invalid || kind == ErrorKind::Forbidden || kind == ErrorKind::NotFound;
}

}  // namespace

// True once the API server has listed everything by which an epoch decides.
bool KubeCluster::isListed() {
  if (!store_.synced() || (options_.nodeCapacity && !options_.nodeCapacity->synced())) return false;
  const Seconds now = clock_.monotonic();
  if (!begun_) begun_ = now;
  if (now - *begun_ > kLongestListing) return true;
  const auto isSynced = [](auto* collection) { return !collection || collection->synced(); };
  return isSynced(options_.targets) && isSynced(options_.queues) && isSynced(options_.quotas);
}

Result<ClusterView> KubeCluster::observe() {
  if (!isListed())
    return failure(ErrorKind::Transient, "not all first lists of the API server have come yet");
  ClusterView view = store_.view(clock_.now());
  if (options_.quotas) view.quotas = options_.quotas->view();
  if (options_.targets) options_.targets->describe(view);
  if (options_.queues) {
    options_.queues->describe(view);
  } else {
    refuseQueues(view);
  }
  // This is checked after the view was taken, so that it covers all that the view shows.
  if (const auto why = options_.whyInconsistent()) return failure(ErrorKind::Transient, *why);
  for (auto& each : view.jobs) {
    if (!each.refusal) each.refusal = rejectedStarts_.find(each.job, view.time);
    if (each.workers.cpu && runs(each.workers))
      each.workers.cpu->impossible = rejectedResizes_.find(each.job, view.time);
  }
  observed_.clear();
  for (const auto& each : view.jobs) observed_[each.job.key] = {each.job.uid, each.job.generation};
  podGroups_.retain(view);
  rejectedStarts_.retain(view);
  rejectedResizes_.retain(view);
  if (options_.nodeCapacity) {
    auto cores = store_.coresByNode();
    options_.nodeCapacity->describe(view, std::move(cores.own), cores.strange);
  }
  return view;
}

Result<void> KubeCluster::apply(const Action& action) {
  const JobKey& key = jobOf(action);
  const auto stored = store_.job(key);
  if (!stored) return unknownJob(key);
  const auto decidedOn = observed_.find(key);
  const bool isAnother = decidedOn != observed_.end() && decidedOn->second.uid != stored->uid;
  if (isAnother)
    return failure(ErrorKind::Conflict, toString(key) + " was replaced by another since this was decided");
  const bool isChanged =
      decidedOn != observed_.end() && decidedOn->second.generation != stored->job.generation;
  if (isChanged && std::holds_alternative<StartJob>(action))
    return failure(ErrorKind::Conflict, toString(key) + " has been changed since this was decided");
  const auto done = std::visit([&](const auto& each) { return act(*stored, each); }, action);
  cacheRejection(*stored, action, done);
  return done;
}

// Only starts, the way into a queue included, and resizes in place are cached: a job that cannot be scaled
// keeps its workers.
void KubeCluster::cacheRejection(const objects::StoredJob& stored, const Action& action,
                                 const Result<void>& done) {
  const bool asks = std::holds_alternative<RequestQuota>(action);
  const bool starts = std::holds_alternative<StartJob>(action);
  if (asks && !done && refused(done.error().kind) && !hasRunningWorkers(stored))
    rejectedStarts_.add(stored.job, done.error().message, clock_.now());
  if (!starts && !std::holds_alternative<ScaleCpu>(action)) return;
  RejectionCache& rejections = starts ? rejectedStarts_ : rejectedResizes_;
  if (done) {
    rejections.forget(stored.key);
  } else if (refused(done.error().kind)) {
    rejections.add(stored.job, done.error().message, clock_.now());
  }
}

bool KubeCluster::hasRunningWorkers(const objects::StoredJob& stored) const {
  const auto workers = store_.child(stored.key, stored.uid, objects::Role::Workers);
  return workers && !workers->suspended;
}

Result<void> KubeCluster::act(const objects::StoredJob& stored, const StartJob& start) {
  const std::string& image = options_.reportImage;
  if (const auto startable = checkStartable(stored, image); !startable) return startable;
  TrainingJob job = objects::wholeJob(stored);
  const bool isQueued = options_.queues && !job.queue.empty();
  const auto placed = isQueued ? options_.queues->place(job) : Result<void>();
  if (!placed) return placed;
  const bool hasDriver = job.spec.driver.has_value();
  const bool complete = store_.child(stored.key, stored.uid, objects::Role::Workers) &&
                        (!hasDriver || store_.child(stored.key, stored.uid, objects::Role::Driver));
  if (!complete) {
    if (const auto exists = confirmExists(stored); !exists) return exists;
    const auto service = children_.createService(stored);
    if (!service) return service;
  }
  const auto gang = options_.podGroups ? podGroups_.start(stored, job, start.workers) : std::nullopt;
  if (!gang) return failure(gang.error());
  const auto ensure = [&](objects::Role role, const std::string& body, const objects::ChildGoal& goal) {
    const auto moved = isQueued ? children_.place(stored, role, body) : Result<void>();
    return moved ? children_.ensure(stored, role, body, goal) : moved;
  };
  if (hasDriver) {
    const std::string body = objects::driverBody(job, image, *gang && (*gang)->hasDriver);
    const auto driver = ensure(objects::Role::Driver, body, {.suspended = false, .count = {}});
    if (!driver) return driver;
  }
  const std::string body = objects::workersBody(job, start.workers, start.cpu, image, gang->has_value());
  return ensure(objects::Role::Workers, body, {.suspended = false, .count = start.workers, .cpu = start.cpu});
}

Result<void> KubeCluster::act(const objects::StoredJob& stored, const RequestQuota& request) {
  if (!options_.queues) return failure(ErrorKind::Conflict, "there are no queues");
  return options_.queues->request(api_, objects::wholeJob(stored), request, stored.status.state,
                                  options_.reportImage);
}

Result<void> KubeCluster::act(const objects::StoredJob& stored, const ScaleWorkers& scale) {
  if (stored.job.spec.workers.target && options_.targets)
    return options_.targets->scale(api_, stored.job, scale.to);
  const auto workers = store_.child(stored.key, stored.uid, objects::Role::Workers);
  if (!workers)
    return failure(ErrorKind::Conflict, toString(stored.key) + " has no workers that could be scaled");
  return children_.bring(*workers, {.suspended = {}, .count = scale.to});
}

Result<void> KubeCluster::act(const objects::StoredJob& stored, const SuspendJob&) {
  // Workers are suspended first, so that they do not lose their driver.
  const auto workers = suspendIfRunning(stored, objects::Role::Workers);
  if (!workers) return workers;
  return suspendIfRunning(stored, objects::Role::Driver);
}

Result<void> KubeCluster::act(const objects::StoredJob& stored, const FinishJob& finish) {
  // Suspending keeps Kubernetes from restarting a driver that failed too often.
  return act(stored, SuspendJob{finish.job});
}

Result<void> KubeCluster::act(const objects::StoredJob& stored, const ScaleCpu& scale) {
  const auto workers = store_.child(stored.key, stored.uid, objects::Role::Workers);
  if (!workers)
    return failure(ErrorKind::Conflict, toString(stored.key) + " has no workers that could be resized");
  // The Job comes first, so that pods that replace others get the new size.
  const auto told = children_.bring(*workers, {.suspended = {}, .count = {}, .cpu = scale.to});
  if (!told) return told;
  const auto brought = resizer_.resizePods(stored, *workers, scale.to);
  if (!brought && refused(brought.error().kind)) restoreCpu(stored);
  return brought;
}

// Without this, the cores that the pods were refused would stay reserved for them. If it fails too, the next
// try of the resize fails and restores them.
void KubeCluster::restoreCpu(const objects::StoredJob& stored) {
  const auto workers = store_.child(stored.key, stored.uid, objects::Role::Workers);
  if (!workers) return;
  const auto cpu = pods::leastAsked(stored.job.spec.workers.pod, store_.podsOf(*workers));
  if (cpu) static_cast<void>(children_.bring(*workers, {.suspended = {}, .count = {}, .cpu = cpu}));
}

Result<void> KubeCluster::act(const objects::StoredJob& stored, const DeleteJob&) {
  return api_.remove({client::kTrainingJobs, stored.key.ns, stored.key.name}, stored.uid);
}

Result<void> KubeCluster::suspendIfRunning(const objects::StoredJob& stored, objects::Role role) {
  const auto child = store_.child(stored.key, stored.uid, role);
  if (!child || hasEnded(*child)) return {};
  return children_.bring(*child, {.suspended = true, .count = {}});
}

// A stalled watch shows a job that was deleted long ago. Children created for it would be collected as
// garbage and created again, over and over.
Result<void> KubeCluster::confirmExists(const objects::StoredJob& stored) {
  const auto now = readAgain(stored);
  const bool isGone = now ? now->job.deleting : now.error().kind == ErrorKind::NotFound;
  if (isGone) return failure(ErrorKind::Conflict, toString(stored.key) + " is gone or being deleted");
  if (!now) return failure(now.error());
  if (now->job.generation != stored.job.generation)
    return failure(ErrorKind::Conflict, toString(stored.key) + " has been changed since this was decided");
  return {};
}

Result<objects::StoredJob> KubeCluster::readAgain(const objects::StoredJob& stored) {
  const client::Target target{client::kTrainingJobs, stored.key.ns, stored.key.name};
  const auto found = api_.get(target);
  if (!found) return failure(found.error());
  objects::StoredJob now = store_.read(*found);
  if (now.uid != stored.uid)
    return failure(ErrorKind::Conflict, toString(target) + " was replaced by another");
  store_.updateJob(*found);
  return now;
}

Result<void> KubeCluster::writeStatus(const JobKey& job, const std::string& uid, const JobStatus& status) {
  auto stored = store_.job(job);
  if (!stored || stored->uid != uid) return unknownJob(job);
  if (options_.podGroups) podGroups_.loosen(*stored, status.ready);
  for (int reread = 0; !objects::statusReached(*stored, status); ++reread) {
    if (finished(stored->status.state) && !finished(status.state))
      return failure(ErrorKind::Conflict,
                     toString(job) + " is over, which was not known when this was decided");
    const auto patched = api_.patch({client::kTrainingJobs, job.ns, job.name, "status"},
                                    objects::statusPatch(*stored, status, options_.docsUrl));
    if (patched) {
      store_.updateJob(*patched);
      return {};
    }
    const bool conflict = patched.error().kind == ErrorKind::Conflict;
    if (!conflict || reread == kMostRereads || !api_.mayWrite()) return failure(patched.error());
    auto now = readAgain(*stored);
    if (!now) return failure(now.error());
    stored = std::move(*now);
  }
  return {};
}

void KubeCluster::record(const JobKey& job, const Event& event) {
  const auto stored = store_.job(job);
  if (!stored) return;
  Event told = event;
  if (event.warning)
    told.message = objects::withRunbook(std::move(told.message), event.reason, options_.docsUrl);
  events_.record({job, stored->uid, std::move(told), clock_.now()});
}

}  // namespace slaq::kube::cluster
