// How much of their quota the ClusterQueues use, what training jobs may hold of it, and what is left for a
// growth. Pure; it follows Kueue's rules of borrowing and lending within one level of cohorts.
#pragma once

#include <map>
#include <optional>
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
  Cores kept;      // the part of the nominal quota that it does not lend
  Cores used;      // and promised of that part
  Cores training;  // reserved for its training jobs
  Cores givable;   // by its training jobs, down to their minimums
  Cores waited;    // asked for by Workloads that wait, and to be given by its training jobs
  std::pair<std::string, std::string> pool;  // the key of the Pool that it shares
  // The key of the group of its training jobs: those of the whole pool or, where borrowing is limited, those
  // of this ClusterQueue.
  std::pair<std::string, std::string> group;
};

// The quota of one flavor that the ClusterQueues of a cohort lend to each other. A ClusterQueue without a
// cohort has a pool of its own.
struct Pool {
  Cores lent;      // by all of them
  Cores borrowed;  // of it, in use
  Cores promised;  // of it, to Workloads that wait
};

// The outcome for a Workload that waits.
enum class Waiting {
  Fits,      // there is room already
  IsServed,  // training jobs give the rest
  Cannot,    // not even training jobs could make room for it
};

class QuotaUse {
 public:
  // `cohorts` are the Cohort objects with quota of their own. `minimums` has the cores that each training job
  // holds at its smallest size, by the uid of the owner of its Workloads.
  QuotaUse(const std::vector<const ClusterQueue*>& clusterQueues,
           const std::vector<const ClusterQueue*>& cohorts, const std::vector<const Workload*>& workloads,
           const std::map<std::string, Cores>& minimums);

  // Keeps room for a Workload that waits for quota of this ClusterQueue. REQUIRES: the most important ones
  // come first.
  Waiting addWaiting(const Workload& workload, const std::string& clusterQueue);

  // The cores by which training jobs of this ClusterQueue may grow now.
  Cores leftFor(const std::string& clusterQueue, const std::string& flavor) const;
  // The name of the group, as in groups(); empty if it is not known.
  std::string groupOf(const std::string& clusterQueue, const std::string& flavor) const;
  // The groups whose training jobs hold quota.
  std::vector<QueueQuotaView> groups() const;

 private:
  using Key = std::pair<std::string, std::string>;  // of a ClusterQueue or a cohort, and of a flavor

  void addClusterQueue(const ClusterQueue& queue);
  void addWorkload(const Workload& workload, const std::map<std::string, Cores>& minimums);
  const Account* find(const std::string& clusterQueue, const std::string& flavor) const;
  // The cores that a Workload of this need lacks: of the pool, and by the limit of borrowing.
  struct Lack {
    Cores ofPool;
    Cores byLimit;
  };
  Lack lackOf(Cores need, const Account& account) const;
  void promise(Cores need, Account& account);
  // Lets training jobs give what is lacking; false, and nothing is changed, if they cannot.
  bool serve(Cores need, Account& account);
  Cores givableFrom(const Account& giver, const Account& to) const;

  std::map<Key, Account> accounts_;
  std::map<Key, Pool> pools_;
  std::map<std::string, std::vector<std::string>> flavors_;  // of each ClusterQueue, in order
};

}  // namespace slaq::kube::queues
