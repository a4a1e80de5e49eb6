// How much of their quota the ClusterQueues use, what training jobs may hold of it, and what is left for a
// growth. Pure; it follows Kueue's rules of borrowing and lending within one level of cohorts.
#pragma once

#include <map>
#include <optional>
#include <set>
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
  Cores promised;  // of the pool, to Workloads that wait in this ClusterQueue
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

// A training job's part in what its Workload holds.
struct Share {
  std::string flavor;  // of the pods that slaq sizes
  Cores held;          // by the requests of its pods, which may be more than Kueue counts; never less
  Cores givable;       // down to its minimum; none while slaq does not size it
};
// Side-cars that were injected into the pods count for slaq, and not for Kueue.
Share shareOf(const JobView& view, const Workload& workload);

// The outcome for a Workload that waits.
enum class Waiting {
  Fits,      // there is room already
  IsServed,  // training jobs give the rest
  Cannot,    // not even training jobs could make room for it
};

struct WaitingPlace {
  Waiting outcome = Waiting::Cannot;
  std::string flavor = {};  // in which it fits, or is served
};

class QuotaUse {
 public:
  // `cohorts` are the Cohort objects with quota of their own. `shares` are those of the training jobs, by the
  // uids of their Workloads.
  QuotaUse(const std::vector<const ClusterQueue*>& clusterQueues,
           const std::vector<const ClusterQueue*>& cohorts, const std::vector<const Workload*>& workloads,
           const std::map<std::string, Share>& shares);

  // Keeps room for a Workload that waits for quota of this ClusterQueue, in none of the flavors `without`.
  // REQUIRES: the most important ones come first.
  WaitingPlace addWaiting(const Workload& workload, const std::string& clusterQueue,
                          const std::set<std::string>& without = {});

  // The cores by which training jobs of this ClusterQueue may grow now.
  Cores leftFor(const std::string& clusterQueue, const std::string& flavor) const;
  // The name of the group, as in groups(); empty if it is not known.
  std::string groupOf(const std::string& clusterQueue, const std::string& flavor) const;
  // The groups whose training jobs hold quota.
  std::vector<QueueQuotaView> groups() const;

 private:
  using Key = std::pair<std::string, std::string>;  // of a ClusterQueue or a cohort, and of a flavor

  void addClusterQueue(const ClusterQueue& queue);
  void addWorkload(const Workload& workload, const std::map<std::string, Share>& shares);
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
