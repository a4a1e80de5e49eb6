#include "kube/queues/queues.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "kube/queues/placement.h"
#include "kube/queues/workload_writer.h"
#include "kube/targets/target_view.h"

namespace slaq::kube::queues {
namespace {

// Kueue admits a Workload for which there is quota within a second. Each time that room is made for one in
// vain, trainings are resized.
constexpr Seconds kLongestAdmission{5};
constexpr Seconds kFirstIgnored{60};
constexpr Seconds kLongestIgnored{3600};

// More than any cluster runs. Quotas can be larger, and sums must not overflow.
constexpr std::int64_t kMostWorkers = 1'000'000;

std::string notListed(const std::string& kind) {
  return "the cluster has not listed Kueue's " + kind +
         "; is Kueue 0.18 or later installed, and may the controller list them?";
}

// Kueue's order of a queue.
bool comesBefore(const Workload* a, const Workload* b) {
  return std::tie(b->priority, a->created, a->key) < std::tie(a->priority, b->created, b->key);
}

template <class Object>
std::vector<const Object*> allOf(const watch::Collection<Object>& collection) {
  std::vector<const Object*> out;
  for (const auto& [key, object] : collection.all()) out.push_back(&object);
  return out;
}

}  // namespace

Queues::Queues(const std::string& resource, bool boosts, const Clock& clock,
               std::function<void()> triggerEpoch)
    : resource_(resource),
      boosts_(boosts),
      clock_(clock),
      triggerEpoch_(std::move(triggerEpoch)),
      workloads_(
          &Workload::owner, [](const Workload&) { return true; },
          [this](const Workload* before, const Workload* after) { noteChange(before, after); }),
      workloadSink_(mutex_, workloads_,
                    [resource](const auto& each) { return readWorkload(each, resource); }),
      clusterQueueSink_(mutex_, clusterQueues_,
                        [resource](const auto& each) { return readClusterQueue(each, resource); }),
      cohortSink_(mutex_, cohorts_,
                  [resource](const auto& each) { return readClusterQueue(each, resource); }),
      localQueueSink_(mutex_, localQueues_, readLocalQueue),
      flavorSink_(mutex_, flavors_, readResourceFlavor) {}

std::vector<Queues::Watched> Queues::watched() {
  return {{client::kWorkloads, &workloadSink_},
          {client::kClusterQueues, &clusterQueueSink_},
          {client::kCohorts, &cohortSink_},
          {client::kLocalQueues, &localQueueSink_},
          {client::kResourceFlavors, &flavorSink_}};
}

bool Queues::synced() {
  const std::lock_guard lock(mutex_);
  return unlisted().empty();
}

std::string Queues::unlisted() const {
  if (!workloads_.synced()) return "Workloads";
  if (!clusterQueues_.synced()) return "ClusterQueues";
  if (!cohorts_.synced()) return "Cohorts";
  if (!localQueues_.synced()) return "LocalQueues";
  return flavors_.synced() ? "" : "ResourceFlavors";
}

void Queues::noteChange(const Workload* before, const Workload* after) const {
  if (!after || owners_.empty()) return;
  const bool isOurs =
      std::ranges::any_of(owners_, [&](const auto& each) { return each.second == after->owner; });
  const bool isDecided = before && (before->admitted != after->admitted || before->evicted != after->evicted);
  const bool beginsToWait = !isReserved(*after) && !after->finished && (!before || isReserved(*before));
  if (isOurs ? isDecided : beginsToWait) triggerEpoch_();
}

// Finds the owner of each job's Workloads: the job itself, or the object that it names as its target.
void Queues::findOwners(const ClusterView& view) {
  owners_.clear();
  std::map<std::pair<std::string, std::string>, const TrainingJob*> sizingByTarget;
  for (const auto& each : view.jobs) {
    const bool isInQueue = !each.job.spec.workers.target && (!each.job.queue.empty() || hasLeft(each.job));
    if (isInQueue) owners_[each.job.uid] = each.job.uid;
  }
  for (const auto& [name, sizing] : targets::sizingJobs(view)) {
    const TargetRef& target = *sizing->job.spec.workers.target;
    sizingByTarget[{sizing->job.key.ns, target.kind + "/" + target.name}] = &sizing->job;
  }
  if (sizingByTarget.empty()) return;
  for (const auto& [key, workload] : workloads_.all()) {
    const auto target = sizingByTarget.find({key.ns, workload.ownerName});
    if (target != sizingByTarget.end() && !workload.finished) owners_[target->second->uid] = workload.owner;
  }
}

// Its label was removed, and it has still something in the queue.
bool Queues::hasLeft(const TrainingJob& job) const {
  return job.queue.empty() && !job.spec.workers.target &&
         std::ranges::any_of(workloads_.by(job.uid), [&](const Workload* each) {
           return each->key.ns == job.key.ns && !each->finished && !each->deleting;
         });
}

QuotaUse Queues::useOf(const ClusterView& view) {
  if (owners_.empty()) return {{}, {}, {}, {}};
  std::map<std::string, Share> shares;
  for (const auto& each : view.jobs) {
    const auto owner = owners_.find(each.job.uid);
    if (owner == owners_.end()) continue;
    for (const auto* workload : workloads_.by(owner->second))
      shares[workload->uid] = shareOf(each, *workload);
  }
  const auto workloads = allOf(workloads_);
  QuotaUse use(allOf(clusterQueues_), allOf(cohorts_), workloads, shares);
  std::vector<const Workload*> waiting;
  std::ranges::copy_if(workloads, std::back_inserter(waiting), [](const Workload* each) {
    return !isReserved(*each) && !each->finished && each->active && !each->deleting && each->replaces.empty();
  });
  std::ranges::sort(waiting, comesBefore);
  auto known = std::exchange(waits_, {});
  for (const auto* each : waiting) {
    if (const auto wait = known.find(each->uid); wait != known.end()) waits_.insert(*wait);
    makeRoom(*each, use, view.time);
  }
  return use;
}

// Room for a Workload is kept for a moment, until Kueue admits it. If Kueue does not, that flavor is not for
// it, such as one of other nodes than it selects. If no flavor is left, it waits for something that training
// jobs cannot give, such as memory.
void Queues::makeRoom(const Workload& waiting, QuotaUse& use, Time now) {
  const auto* queue = localQueues_.find({waiting.key.ns, waiting.queue});
  const auto* clusterQueue = queue ? clusterQueues_.find({"", queue->clusterQueue}) : nullptr;
  if (!clusterQueue || queue->stopped || clusterQueue->stopped) return;
  Wait& wait = waits_[waiting.uid];
  if (wait.ignoredUntil && now < *wait.ignoredUntil) return;
  const auto [outcome, flavor] = use.addWaiting(waiting, queue->clusterQueue, wait.inVain);
  if (outcome == Waiting::Fits) {
    if (!wait.fitsSince || wait.fitsIn != flavor) wait.fitsSince = now;
    wait.fitsIn = flavor;
    if (now - *wait.fitsSince < kLongestAdmission) return;
    wait.inVain.insert(flavor);
  }
  wait.fitsSince.reset();
  if (outcome != Waiting::Cannot || wait.inVain.empty()) return;
  wait.inVain.clear();
  wait.pause = std::clamp(2 * wait.pause, kFirstIgnored, kLongestIgnored);
  wait.ignoredUntil = now + wait.pause;
}

void Queues::describe(ClusterView& view) {
  const std::lock_guard lock(mutex_);
  findOwners(view);
  const QuotaUse use = useOf(view);
  growths_.retain(owners_);
  for (auto& each : view.jobs) {
    if (!each.job.queue.empty() || owners_.contains(each.job.uid)) describe(each, use, view.time);
  }
  view.queueQuotas = use.groups();
}

void Queues::describe(JobView& view, const QuotaUse& use, Time now) {
  const TrainingJob& job = view.job;
  std::optional<std::string> why = job.queue.empty() ? std::nullopt : whyRefused(job.spec);
  const bool isRunning = runs(view.workers);
  const auto owner = owners_.find(job.uid);
  if (why && isRunning && (!job.spec.workers.target || owner == owners_.end())) return;  // as without a label
  if (isRunning) why.reset();
  const std::string unlisted = this->unlisted();
  if (!why && !unlisted.empty() && !isRunning) why = notListed(unlisted);
  if (why) {
    if (!view.refusal) view.refusal = std::move(why);
    return;
  }
  QueueView& queue = view.queue.emplace();
  queue.seesChanges = job.spec.workers.target || !unlisted.empty();
  if (!unlisted.empty()) {
    // A running job goes on as it is.
    queue.asked = queue.admitted = queue.most.emplace(view.workers.desired);
    return;
  }
  // A refused job still gets its QueueView, by which slaq gives back the quota that the job holds.
  if (!isRunning && !view.refusal) view.refusal = whyElsewhere(job);
  const Slices slices = slicesOf(job, workloads_.by(owner->second));
  queue.left = job.queue.empty() && !job.spec.workers.target;  // it would not be described otherwise
  queue.hasStale = !slices.stale.empty();
  queue.message = whyNothingIsAdmitted(job, slices.current);
  if (slices.current && !slices.current->finished) describe(view, slices, use, now);
}

void Queues::describe(JobView& view, const Slices& slices, const QuotaUse& use, Time now) {
  const TrainingJob& job = view.job;
  QueueView& queue = *view.queue;
  const Workload& current = *slices.current;
  if (!queue.seesChanges) growths_.note(job.uid, slices, now);
  const bool isElsewhere = !isReserved(current) && !queue.left && current.queue != job.queue;
  if (isElsewhere && !queue.seesChanges) return;  // so it is asked for again, in the other queue
  const PodSet* asked = sizedSetOf(slices.growth ? *slices.growth : current, job);
  queue.asked = asked ? asked->count : Workers();
  queue.podsReady = current.podsReady;
  if (boosts_ && !queue.seesChanges) queue.priorityBoost = current.priorityBoost;
  queue.evicted = isReserved(current) && current.evicted;
  const PodSet* set = sizedSetOf(current, job);
  if (!isReserved(current) || !set) return;
  // A growth has taken the place of the admitted Workload, and waits for its admission checks. The job keeps
  // what it has.
  const bool isChecked = !current.admitted && !current.replaces.empty() && runs(view.workers);
  if (!current.admitted && !isChecked) return;
  queue.admitted = isChecked ? std::min(set->count, view.workers.desired) : set->count;
  queue.quota = use.groupOf(current.clusterQueue, set->flavor);
  queue.most = set->count;
  const Cores worker = slaq::coresOf(job.spec.workers.pod);
  if (worker <= Cores() || isChecked || (!queue.seesChanges && !growths_.mayGrow(job.uid, slices, now)))
    return;
  const auto more = use.leftFor(current.clusterQueue, set->flavor).value() / worker.value();
  *queue.most += Workers(static_cast<std::int32_t>(std::min<std::int64_t>(more, kMostWorkers)));
}

std::optional<std::string> Queues::whyElsewhere(const TrainingJob& job) const {
  const auto* queue = localQueues_.find({job.key.ns, job.queue});
  const auto* clusterQueue = queue ? clusterQueues_.find({"", queue->clusterQueue}) : nullptr;
  if (!clusterQueue) return std::nullopt;
  const auto hasTopology = [&](const FlavorQuota& quota) {
    const auto* flavor = flavors_.find({"", quota.flavor});
    return flavor && !flavor->topology.empty();
  };
  if (clusterQueue->flavors.empty() || !std::ranges::all_of(clusterQueue->flavors, hasTopology))
    return std::nullopt;
  return "each ResourceFlavor of the ClusterQueue " + printable(queue->clusterQueue) +
         " has topologyName, by which Kueue chooses the nodes of pods, and those of TrainingJobs do not "
         "follow it; use a queue with another flavor, or remove the label " +
         kQueueLabel;
}

void Queues::update(const rapidjson::Value& workload) {
  Workload read = readWorkload(workload, resource_);
  const std::lock_guard lock(mutex_);
  workloads_.update(std::move(read));
}

Result<void> Queues::request(client::Api& api, const TrainingJob& job, const RequestQuota& request,
                             JobState state, const std::string& reportImage) {
  Slices slices;
  {
    const std::lock_guard lock(mutex_);
    if (!workloads_.synced()) return failure(ErrorKind::Transient, notListed("Workloads"));
    slices = slicesOf(job, workloads_.by(job.uid));
    const bool entersAnew =
        request.workers == Workers(0) && slices.current && isFailedGrowth(*slices.current);
    if (entersAnew) slices.stale.push_back(*std::exchange(slices.current, std::nullopt));
  }
  WorkloadWriter writer(api, clock_, [this](const rapidjson::Value& written) { update(written); });
  return writer.request(job, slices, request, state, reportImage);
}

Result<void> Queues::place(TrainingJob& job) {
  const std::lock_guard lock(mutex_);
  const Slices slices = slicesOf(job, workloads_.by(job.uid));
  if (!slices.current) return {};
  for (const auto& set : slices.current->podSets) {
    std::vector<const ResourceFlavor*> flavors;
    for (const auto& each : set.flavors) {
      flavors.push_back(flavors_.find({"", each}));
      if (!flavors.back())
        return failure(ErrorKind::Transient, "the ResourceFlavor " + printable(each) + " is not known yet");
    }
    PodTemplate* pod = set.name == kWorkerSet ? &job.spec.workers.pod
                       : job.spec.driver      ? &*job.spec.driver
                                              : nullptr;
    if (pod) pod->document = placedTemplate(pod->document, flavors, set.name, slices.current->podSetUpdates);
  }
  return {};
}

}  // namespace slaq::kube::queues
