// How much of their quota the ClusterQueues use, what training jobs may hold of it, and what is left for a
// growth. Pure; it follows Kueue's rules of borrowing and lending within one level of cohorts.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "job/view.h"
#include "kube/queues/cluster_queue.h"
#include "kube/queues/workload.h"

namespace slaq::kube::queues {

// One flavor of a ClusterQueue.
struct Account {
  FlavorQuota quota;
  Cores kept;  // the part of the nominal quota that it does not lend
  Cores used;
  std::pair<std::string, std::string> pool;  // the key of the Pool that it shares
};

// What the ClusterQueues of a cohort lend to each other of one flavor. A ClusterQueue without a cohort has a
// pool of its own.
struct Pool {
  std::string name;
  Cores lent;      // by all of them
  Cores borrowed;  // of it, in use
  Cores training;  // reserved for training jobs
  Cores givable;   // of that, beyond the jobs' minimums
  Cores waited;    // asked for by Workloads that wait, as far as training jobs can give it
};

class QuotaUse {
 public:
  // `cohorts` are the Cohort objects with quota of their own. `minimums` has the cores that each training job
  // holds at its smallest size, by its uid.
  QuotaUse(const std::vector<const ClusterQueue*>& clusterQueues,
           const std::vector<const ClusterQueue*>& cohorts, const std::vector<const Workload*>& workloads,
           const std::map<std::string, Cores>& minimums);

  // Notes that a Workload waits for quota of this ClusterQueue. REQUIRES: the most important ones come first.
  void addWaiting(const Workload& workload, const std::string& clusterQueue);

  // The cores by which training jobs of this ClusterQueue may grow now.
  Cores leftFor(const std::string& clusterQueue, const std::string& flavor) const;
  // The name of the pool, as in pools(); empty if it is not known.
  std::string poolOf(const std::string& clusterQueue, const std::string& flavor) const;
  // The pools in which training jobs hold quota.
  std::vector<QueueQuotaView> pools() const;

 private:
  void addClusterQueue(const ClusterQueue& queue);
  void addWorkload(const Workload& workload, const std::map<std::string, Cores>& minimums);
  const Account* find(const std::string& clusterQueue, const std::string& flavor) const;
  Cores idle(const Pool& pool) const;

  std::map<std::pair<std::string, std::string>, Account> accounts_;  // by ClusterQueue and flavor
  std::map<std::pair<std::string, std::string>, Pool> pools_;        // by cohort or ClusterQueue, and flavor
  std::map<std::string, std::vector<std::string>> flavors_;          // of each ClusterQueue, in order
};

}  // namespace slaq::kube::queues
