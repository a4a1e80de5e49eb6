#include "kube/queues/queues.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "kube/queues/placement.h"
#include "kube/queues/workload_writer.h"

namespace slaq::kube::queues {
namespace {

constexpr Seconds kLongestListing{15};  // an API server in good order needs less than one

// Kueue admits a growth for which there is quota within a second. One that waits longer would get its workers
// at a time for which nobody decided them.
constexpr Seconds kLongestGrowth{10};
constexpr Seconds kFirstPause{30};     // after a growth that was not admitted
constexpr Seconds kLongestPause{300};  // each pause is twice as long as the one before

std::optional<std::string> whyRefused(const JobSpec& spec) {
  if (spec.workers.target)
    return "a job with spec.workers.targetRef cannot be in a queue; put the object that it names into the "
           "queue, "
           "or remove the label " +
           std::string(kQueueLabel);
  if (spec.workers.scaling == Scaling::CPU)
    return "a job with spec.workers.scaling CPU cannot be in a queue, since Kueue counts what its pods "
           "request at "
           "first; use Replicas, or remove the label " +
           std::string(kQueueLabel);
  return std::nullopt;
}

std::string flavorOf(const Workload& workload) {
  const auto found = std::ranges::find(workload.podSets, kWorkerSet, &PodSet::name);
  return found == workload.podSets.end() ? "" : found->flavor;
}

Cores minimumOf(const JobSpec& spec) {
  const Cores driver = spec.driver ? slaq::coresOf(*spec.driver) : Cores();
  return driver + slaq::coresOf(spec.workers.pod) * spec.workers.min;
}

// Kueue's order of a queue.
bool comesBefore(const Workload* a, const Workload* b) {
  return std::tuple(-a->priority, a->created, a->key) < std::tuple(-b->priority, b->created, b->key);
}

template <class Object>
std::vector<const Object*> allOf(const watch::Collection<Object>& collection) {
  std::vector<const Object*> out;
  for (const auto& [key, object] : collection.all()) out.push_back(&object);
  return out;
}

}  // namespace

Queues::Queues(const std::string& resource, const Clock& clock, std::function<void()> triggerEpoch)
    : resource_(resource),
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

bool Queues::listed(Time now) {
  const std::lock_guard lock(mutex_);
  if (!begun_) begun_ = now;
  return now - *begun_ > kLongestListing || (workloads_.synced() && flavors_.synced());
}

void Queues::noteChange(const Workload* before, const Workload* after) const {
  if (!after || growths_.empty()) return;
  const bool isOurs = growths_.contains(after->owner);
  const bool isDecided = before && (before->admitted != after->admitted || before->evicted != after->evicted);
  const bool beginsToWait = !isReserved(*after) && !after->finished && (!before || isReserved(*before));
  if (isOurs ? isDecided : beginsToWait) triggerEpoch_();
}

QuotaUse Queues::useOf(const ClusterView& view) const {
  std::map<std::string, Cores> minimums;
  for (const auto& each : view.jobs) {
    if (!each.job.queue.empty()) minimums[each.job.uid] = minimumOf(each.job.spec);
  }
  const auto workloads = allOf(workloads_);
  QuotaUse use(allOf(clusterQueues_), allOf(cohorts_), workloads, minimums);
  std::vector<const Workload*> waiting;
  std::ranges::copy_if(workloads, std::back_inserter(waiting), [](const Workload* each) {
    return !isReserved(*each) && !each->finished && each->active && !each->deleting && each->replaces.empty();
  });
  std::ranges::sort(waiting, comesBefore);
  for (const auto* each : waiting) {
    if (const auto* queue = localQueues_.find({each->key.ns, each->queue}))
      use.addWaiting(*each, queue->clusterQueue);
  }
  return use;
}

void Queues::describe(ClusterView& view) {
  const std::lock_guard lock(mutex_);
  const QuotaUse use = useOf(view);
  std::map<std::string, Growth> kept;
  for (const auto& each : view.jobs) {
    if (!each.job.queue.empty()) kept[each.job.uid] = growths_[each.job.uid];
  }
  growths_ = std::move(kept);
  for (auto& each : view.jobs) {
    if (!each.job.queue.empty()) describe(each, use, view.time);
  }
  view.queueQuotas = use.pools();
}

void Queues::describe(JobView& view, const QuotaUse& use, Time now) {
  const TrainingJob& job = view.job;
  if (auto why = whyRefused(job.spec)) {
    if (!view.refusal) view.refusal = std::move(why);
    return;
  }
  QueueView& queue = view.queue.emplace();
  if (!workloads_.synced()) {
    queue.message =
        "the cluster has not listed Kueue's Workloads; is Kueue 0.18 or later installed, and may the "
        "controller list them?";
    // What runs goes on as it is.
    if (runs(view.workers)) queue.asked = queue.admitted = queue.most.emplace(view.workers.desired);
    return;
  }
  const Slices slices = slicesOf(job, workloads_.by(job.uid));
  const auto& current = slices.current;
  queue.message = whyNothingIsAdmitted(job, current);
  if (!current || current->finished) return;
  queue.asked = workersOf(slices.growth ? *slices.growth : *current);
  queue.podsReady = current->podsReady;
  if (!isReserved(*current)) return;
  queue.evicted = current->evicted.has_value();
  if (!current->admitted) return;
  const std::string flavor = flavorOf(*current);
  queue.admitted = workersOf(*current);
  queue.quota = use.poolOf(current->clusterQueue, flavor);
  queue.most = queue.admitted;
  const Cores worker = slaq::coresOf(job.spec.workers.pod);
  if (worker > Cores() && mayGrow(job, slices, now))
    *queue.most += Workers(
        static_cast<std::int32_t>(use.leftFor(current->clusterQueue, flavor).value() / worker.value()));
}

// Notes the growth that waits to be admitted, and whether the last one was in vain.
bool Queues::mayGrow(const TrainingJob& job, const Slices& slices, Time now) {
  Growth& growth = growths_[job.uid];
  if (slices.growth) {
    const Workers workers = workersOf(*slices.growth);
    if (growth.uid != slices.growth->uid || growth.workers != workers)
      growth = {slices.growth->uid, workers, now, growth.pause, growth.until};
    if (now - growth.since < kLongestGrowth) return true;
    growth.pause = std::clamp(2 * growth.pause, kFirstPause, kLongestPause);
    growth.until = now + growth.pause;
    return false;
  }
  if (growth.uid == slices.current->uid) growth = {};  // it was admitted
  return !growth.until || now >= *growth.until;
}

void Queues::update(const rapidjson::Value& workload) {
  Workload read = readWorkload(workload, resource_);
  const std::lock_guard lock(mutex_);
  workloads_.update(std::move(read));
}

Result<void> Queues::request(client::Api& api, const TrainingJob& job, const RequestQuota& request,
                             JobState state, const std::string& reportImage) {
  WorkloadWriter writer(api, clock_, [this](const rapidjson::Value& written) { update(written); });
  return writer.request(job, slicesNow(job), request, state, reportImage);
}

Slices Queues::slicesNow(const TrainingJob& job) {
  const std::lock_guard lock(mutex_);
  return slicesOf(job, workloads_.by(job.uid));
}

void Queues::place(TrainingJob& job) {
  const std::lock_guard lock(mutex_);
  const Slices slices = slicesOf(job, workloads_.by(job.uid));
  if (!slices.current) return;
  for (const auto& set : slices.current->podSets) {
    std::vector<const ResourceFlavor*> flavors;
    for (const auto& each : set.flavors) {
      if (const auto* flavor = flavors_.find({"", each})) flavors.push_back(flavor);
    }
    PodTemplate* pod = set.name == kWorkerSet ? &job.spec.workers.pod
                       : job.spec.driver      ? &*job.spec.driver
                                              : nullptr;
    if (pod) pod->document = placedTemplate(pod->document, flavors, set.name, slices.current->podSetUpdates);
  }
}

}  // namespace slaq::kube::queues
