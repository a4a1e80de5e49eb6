// TrainingJobs in queues of Kueue. For each of them slaq keeps a Workload, as Kueue's own integrations do for
// their jobs: pods exist only within what Kueue admits. A growth is a second Workload that replaces the first
// once Kueue admits it, so that the job never has less than before. A shrink lowers the Workload once the
// pods are gone.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/clock.h"
#include "job/action.h"
#include "job/view.h"
#include "kube/client/api.h"
#include "kube/queues/cluster_queue.h"
#include "kube/queues/growths.h"
#include "kube/queues/quota_use.h"
#include "kube/queues/slices.h"
#include "kube/queues/workload.h"
#include "kube/watch/sink.h"

namespace slaq::kube::queues {

// Any thread may call it.
class Queues {
 public:
  // `resource` is the unit of capacity. `boosts`: Kueue is told what evictions would cost. `triggerEpoch` is
  // called, on any thread and while this is locked, when a Workload of a TrainingJob was admitted or evicted,
  // or when a Workload begins to wait.
  Queues(const std::string& resource, bool boosts, const Clock& clock, std::function<void()> triggerEpoch);

  struct Watched {
    client::Resource resource;
    watch::ObjectSink* sink;
  };
  // Returns the objects to watch, and where a reflector stores them. REQUIRES: this outlives the result.
  std::vector<Watched> watched();

  // True once all kinds of objects were listed. A cluster without Kueue never lists them.
  bool synced();

  // Fills in the queue of each job that is in one, and the quotas that they share. A job that cannot be in a
  // queue is refused, with the reason; if it runs already, it goes on without the queue.
  void describe(ClusterView& view);

  // Brings the job's Workloads to the requested size; a job that is over, in `state`, is finished for Kueue
  // too. `reportImage` is the image that slaq-report comes from. Conflict: a Workload was changed meanwhile.
  // REQUIRES: the job has its templates' documents.
  Result<void> request(client::Api& api, const TrainingJob& job, const RequestQuota& request, JobState state,
                       const std::string& reportImage);

  // Changes the job's templates as its admission says: to the nodes of its ResourceFlavors, and by what
  // admission checks add. REQUIRES: the job has its templates' documents.
  // Transient: a ResourceFlavor is not known yet.
  Result<void> place(TrainingJob& job);

 private:
  // The wait of a Workload for which there is room.
  struct Wait {
    std::optional<Time> fitsSince{};
    std::string fitsIn{};            // the flavor
    std::set<std::string> inVain{};  // flavors in which there was room for it, and it did not come
    Seconds pause{0};                // for which no room is made
    std::optional<Time> ignoredUntil{};
  };

  // REQUIRES, of the following: the mutex is held.
  // The plural kind of objects that was not listed yet; empty once all were.
  std::string unlisted() const;
  void findOwners(const ClusterView& view);
  bool hasLeft(const TrainingJob& job) const;
  void makeRoom(const Workload& waiting, QuotaUse& use, Time now);
  void describe(JobView& view, const QuotaUse& use, Time now);
  void describe(JobView& view, const Slices& slices, const QuotaUse& use, Time now);
  QuotaUse useOf(const ClusterView& view);
  // Why Kueue would not count the job's pods where they are, if so; a sentence.
  std::optional<std::string> whyElsewhere(const TrainingJob& job) const;
  void noteChange(const Workload* before, const Workload* after) const;
  // Without the mutex.
  void update(const rapidjson::Value& workload);

  const std::string resource_;
  const bool boosts_;
  const Clock& clock_;
  const std::function<void()> triggerEpoch_;
  std::mutex mutex_;
  watch::Collection<Workload> workloads_;
  watch::Collection<ClusterQueue> clusterQueues_;
  watch::Collection<ClusterQueue> cohorts_;
  watch::Collection<LocalQueue> localQueues_;
  watch::Collection<ResourceFlavor> flavors_;
  watch::CollectionSink<Workload> workloadSink_;
  watch::CollectionSink<ClusterQueue> clusterQueueSink_;
  watch::CollectionSink<ClusterQueue> cohortSink_;
  watch::CollectionSink<LocalQueue> localQueueSink_;
  watch::CollectionSink<ResourceFlavor> flavorSink_;
  std::map<std::string, std::string> owners_;  // of the Workloads of each job in a queue; all by uids
  Growths growths_;
  std::map<std::string, Wait> waits_;  // by the uid of the Workload
};

}  // namespace slaq::kube::queues
