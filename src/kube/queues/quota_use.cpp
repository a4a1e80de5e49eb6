#include "kube/queues/quota_use.h"

#include <algorithm>

namespace slaq::kube::queues {
namespace {

// Cohorts and ClusterQueues may have the same names.
std::string queueName(const std::string& name) { return "the ClusterQueue " + printable(name); }
std::string cohortName(const std::string& name) { return "the cohort " + printable(name); }

Cores positive(Cores cores) { return std::max(Cores(), cores); }

Cores idle(const Pool& pool) { return positive(pool.lent - pool.borrowed - pool.promised); }

// The name of a group by its key.
std::string nameOf(const std::pair<std::string, std::string>& group) {
  return group.first + ", flavor " + printable(group.second);
}

// At most what the account may use beyond `used`.
Cores withinLimit(Cores cores, const Account& account, Cores used) {
  const auto& borrowing = account.quota.borrowing;
  return borrowing ? positive(std::min(cores, account.quota.nominal + *borrowing - used)) : cores;
}

}  // namespace

QuotaUse::QuotaUse(const std::vector<const ClusterQueue*>& clusterQueues,
                   const std::vector<const ClusterQueue*>& cohorts,
                   const std::vector<const Workload*>& workloads,
                   const std::map<std::string, Cores>& minimums) {
  for (const auto* queue : clusterQueues) addClusterQueue(*queue);
  for (const auto* cohort : cohorts) {
    for (const auto& quota : cohort->flavors) {
      const auto pool = pools_.find({cohortName(cohort->key.name), quota.flavor});
      if (pool != pools_.end()) pool->second.lent += quota.nominal;
    }
  }
  for (const auto* workload : workloads) {
    if (isReserved(*workload)) addWorkload(*workload, minimums);
  }
  for (auto& [key, account] : accounts_)
    pools_.at(account.pool).borrowed += positive(account.used - account.kept);
}

void QuotaUse::addClusterQueue(const ClusterQueue& queue) {
  const std::string own = queueName(queue.key.name);
  const std::string shared = queue.cohort.empty() ? own : cohortName(queue.cohort);
  for (const auto& quota : queue.flavors) {
    const Cores lent =
        queue.cohort.empty() ? quota.nominal : std::min(quota.nominal, quota.lending.value_or(quota.nominal));
    Account& account = accounts_[{queue.key.name, quota.flavor}];
    account.quota = quota;
    account.kept = quota.nominal - lent;
    account.pool = {shared, quota.flavor};
    account.group = {quota.borrowing ? own : shared, quota.flavor};
    pools_[account.pool].lent += lent;
    flavors_[queue.key.name].push_back(quota.flavor);
  }
}

// The driver counts in the group of the workers, even if its cores are of another flavor.
void QuotaUse::addWorkload(const Workload& workload, const std::map<std::string, Cores>& minimums) {
  for (const auto& set : workload.podSets) {
    const auto account = accounts_.find({workload.clusterQueue, set.flavor});
    if (account != accounts_.end()) account->second.used += set.cores;
  }
  const auto minimum = minimums.find(workload.owner);
  if (minimum == minimums.end() || workload.podSets.empty()) return;
  const auto found = accounts_.find({workload.clusterQueue, workload.podSets.back().flavor});
  if (found == accounts_.end()) return;
  Account& account = found->second;
  account.training += coresOf(workload);
  if (!workload.evicted) account.givable += positive(coresOf(workload) - minimum->second);
}

const Account* QuotaUse::find(const std::string& clusterQueue, const std::string& flavor) const {
  const auto found = accounts_.find({clusterQueue, flavor});
  return found == accounts_.end() ? nullptr : &found->second;
}

QuotaUse::Lack QuotaUse::lackOf(Cores need, const Account& account) const {
  const Cores own = positive(account.kept - account.used);
  const auto& borrowing = account.quota.borrowing;
  return {positive(need - own - idle(pools_.at(account.pool))),
          borrowing ? positive(need - (account.quota.nominal + *borrowing - account.used)) : Cores()};
}

// The cores that training jobs of one account can give so that another can use them. The account itself alone
// can use the part of its quota that it does not lend.
Cores QuotaUse::givableFrom(const Account& giver, const Account& to) const {
  if (giver.pool != to.pool) return Cores();
  return &giver == &to ? giver.givable : std::min(giver.givable, positive(giver.used - giver.kept));
}

// Takes the room for the Workload: first of what the account keeps, then of what is idle in the pool.
void QuotaUse::promise(Cores need, Account& account) {
  Pool& pool = pools_.at(account.pool);
  const Cores own = std::min(need, positive(account.kept - account.used));
  account.used += own;
  pool.promised += std::min(need - own, idle(pool));
}

bool QuotaUse::serve(Cores need, Account& account) {
  const Lack lack = lackOf(need, account);
  Cores givable;
  for (const auto& [key, giver] : accounts_) givable += givableFrom(giver, account);
  if (lack.byLimit > account.givable || lack.ofPool > givable) return false;
  const auto give = [](Cores cores, Account& giver) {
    giver.givable -= cores;
    giver.waited += cores;
  };
  const Cores own = std::max(lack.byLimit, std::min(lack.ofPool, account.givable));
  give(own, account);
  Cores left = positive(lack.ofPool - own);
  for (auto& [key, giver] : accounts_) {
    if (&giver == &account) continue;
    const Cores part = std::min(left, givableFrom(giver, account));
    give(part, giver);
    left -= part;
  }
  promise(need, account);
  return true;
}

Waiting QuotaUse::addWaiting(const Workload& workload, const std::string& clusterQueue) {
  const auto flavors = flavors_.find(clusterQueue);
  if (flavors == flavors_.end()) return Waiting::Cannot;
  const Cores need = coresOf(workload);
  for (const auto& flavor : flavors->second) {
    Account& account = accounts_.at({clusterQueue, flavor});
    const Lack lack = lackOf(need, account);
    if (lack.ofPool > Cores() || lack.byLimit > Cores()) continue;
    promise(need, account);
    return Waiting::Fits;
  }
  const bool isServed = std::ranges::any_of(flavors->second, [&](const std::string& flavor) {
    return serve(need, accounts_.at({clusterQueue, flavor}));
  });
  return isServed ? Waiting::IsServed : Waiting::Cannot;
}

Cores QuotaUse::leftFor(const std::string& clusterQueue, const std::string& flavor) const {
  const Account* account = find(clusterQueue, flavor);
  if (!account) return Cores();
  const Cores left = positive(account->kept - account->used) + idle(pools_.at(account->pool));
  return withinLimit(left, *account, account->used);
}

std::string QuotaUse::groupOf(const std::string& clusterQueue, const std::string& flavor) const {
  const Account* account = find(clusterQueue, flavor);
  return account ? nameOf(account->group) : "";
}

std::vector<QueueQuotaView> QuotaUse::groups() const {
  struct Sums {
    Cores training;  // less what these jobs are to give
    Cores kept;
    Cores keptLeft;
    const Account* last = nullptr;  // the only one, where borrowing is limited
  };
  std::map<Key, Sums> groups;
  for (const auto& [of, account] : accounts_) {
    if (account.training <= Cores()) continue;
    Sums& sums = groups[account.group];
    sums.training += account.training - account.waited;
    sums.kept += account.kept;
    sums.keptLeft += positive(account.kept - account.used);
    sums.last = &account;
  }
  std::vector<QueueQuotaView> out;
  for (const auto& [key, sums] : groups) {
    const Account& last = *sums.last;
    const Pool& pool = pools_.at(last.pool);
    const Cores now = sums.training + withinLimit(sums.keptLeft + idle(pool), last, last.used);
    out.push_back({nameOf(key), now, std::max(now, withinLimit(sums.kept + pool.lent, last, Cores()))});
  }
  return out;
}

}  // namespace slaq::kube::queues
