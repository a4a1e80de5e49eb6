#include "kube/queues/quota_use.h"

#include <algorithm>

namespace slaq::kube::queues {
namespace {

// Cohorts and ClusterQueues may have the same names.
std::string poolName(const ClusterQueue& queue) {
  return queue.cohort.empty() ? "the ClusterQueue " + printable(queue.key.name)
                              : "the cohort " + printable(queue.cohort);
}

Cores positive(Cores cores) { return std::max(Cores(), cores); }

}  // namespace

QuotaUse::QuotaUse(const std::vector<const ClusterQueue*>& clusterQueues,
                   const std::vector<const ClusterQueue*>& cohorts,
                   const std::vector<const Workload*>& workloads,
                   const std::map<std::string, Cores>& minimums) {
  for (const auto* queue : clusterQueues) addClusterQueue(*queue);
  for (const auto* cohort : cohorts) {
    for (const auto& quota : cohort->flavors) {
      const auto pool = pools_.find({"the cohort " + printable(cohort->key.name), quota.flavor});
      if (pool != pools_.end()) pool->second.lent += quota.nominal;
    }
  }
  for (const auto* workload : workloads) {
    if (isReserved(*workload)) addWorkload(*workload, minimums);
  }
  for (auto& [key, account] : accounts_) {
    Pool& pool = pools_.at(account.pool);
    pool.borrowed += positive(account.used - account.kept);
  }
}

void QuotaUse::addClusterQueue(const ClusterQueue& queue) {
  for (const auto& quota : queue.flavors) {
    const Cores lent =
        queue.cohort.empty() ? quota.nominal : std::min(quota.nominal, quota.lending.value_or(quota.nominal));
    const std::pair key(poolName(queue), quota.flavor);
    accounts_[{queue.key.name, quota.flavor}] = {quota, quota.nominal - lent, Cores(), key};
    Pool& pool = pools_[key];
    pool.name = key.first + ", flavor " + printable(quota.flavor);
    pool.lent += lent;
    flavors_[queue.key.name].push_back(quota.flavor);
  }
}

void QuotaUse::addWorkload(const Workload& workload, const std::map<std::string, Cores>& minimums) {
  const auto minimum = minimums.find(workload.owner);
  for (const auto& set : workload.podSets) {
    const auto account = accounts_.find({workload.clusterQueue, set.flavor});
    if (account == accounts_.end()) continue;
    account->second.used += set.cores;
    if (minimum != minimums.end()) pools_.at(account->second.pool).training += set.cores;
  }
  const Account* account =
      workload.podSets.empty() ? nullptr : find(workload.clusterQueue, workload.podSets.back().flavor);
  if (account && minimum != minimums.end() && !workload.evicted)
    pools_.at(account->pool).givable += positive(coresOf(workload) - minimum->second);
}

const Account* QuotaUse::find(const std::string& clusterQueue, const std::string& flavor) const {
  const auto found = accounts_.find({clusterQueue, flavor});
  return found == accounts_.end() ? nullptr : &found->second;
}

Cores QuotaUse::idle(const Pool& pool) const { return positive(pool.lent - pool.borrowed); }

// A Workload that fits already waits for something else, such as memory or an admission check. One that would
// not fit even if all training jobs shrank waits for others.
void QuotaUse::addWaiting(const Workload& workload, const std::string& clusterQueue) {
  const auto flavors = flavors_.find(clusterQueue);
  if (flavors == flavors_.end()) return;
  const Cores need = coresOf(workload);
  for (const auto& flavor : flavors->second) {
    const Account& account = *find(clusterQueue, flavor);
    Pool& pool = pools_.at(account.pool);
    const Cores kept = positive(account.kept - account.used);
    const auto& borrowing = account.quota.borrowing;
    const bool isAllowed = !borrowing || need <= account.quota.nominal + *borrowing - account.used;
    const Cores lacking = positive(need - kept);
    if (!isAllowed) continue;
    if (lacking <= idle(pool) - pool.waited) return;
    if (lacking > idle(pool) + pool.givable - pool.waited) continue;
    pool.waited += lacking;
    return;
  }
}

Cores QuotaUse::leftFor(const std::string& clusterQueue, const std::string& flavor) const {
  const Account* account = find(clusterQueue, flavor);
  if (!account) return Cores();
  const Pool& pool = pools_.at(account->pool);
  const Cores left = positive(account->kept - account->used) + positive(idle(pool) - pool.waited);
  const auto& borrowing = account->quota.borrowing;
  return borrowing ? positive(std::min(left, account->quota.nominal + *borrowing - account->used)) : left;
}

std::string QuotaUse::poolOf(const std::string& clusterQueue, const std::string& flavor) const {
  const Account* account = find(clusterQueue, flavor);
  return account ? pools_.at(account->pool).name : "";
}

std::vector<QueueQuotaView> QuotaUse::pools() const {
  std::vector<QueueQuotaView> out;
  for (const auto& [key, pool] : pools_) {
    if (pool.training <= Cores()) continue;
    Cores unlent;
    for (const auto& [of, account] : accounts_) {
      if (account.pool == key) unlent += positive(account.kept - account.used);
    }
    const Cores now = pool.training + idle(pool) + unlent - pool.waited;
    out.push_back({pool.name, now, std::max(now, pool.lent + unlent)});
  }
  return out;
}

}  // namespace slaq::kube::queues
