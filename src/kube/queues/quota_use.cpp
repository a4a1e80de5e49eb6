#include "kube/queues/quota_use.h"

#include <algorithm>
#include <iterator>

#include "kube/queues/slices.h"

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

// The cores in use after its training jobs have shrunk for the Workloads that wait, and these were admitted.
Cores usedSoon(const Account& account) { return account.used + account.promised - account.waited; }

// At most what the account may use beyond `used`.
Cores withinLimit(Cores cores, const Account& account, Cores used) {
  const auto& borrowing = account.quota.borrowing;
  return borrowing ? positive(std::min(cores, account.quota.nominal + *borrowing - used)) : cores;
}

// The workers that the job keeps in any case. A pinned or reserved job is not shrunk.
Workers leastOf(const JobSpec& spec) {
  return spec.scheduling == Scheduling::Reserved ? spec.workers.max
         : isPinned(spec)                        ? *spec.replicas
                                                 : spec.workers.min;
}

// Jobs that are only observed, are refused or are to stop do not shrink for others.
bool isSized(const JobView& view) {
  return view.job.spec.mode == Mode::Schedule && !view.job.spec.suspend && !view.refusal;
}

}  // namespace

Share shareOf(const JobView& view, const Workload& workload) {
  const JobSpec& spec = view.job.spec;
  const PodSet* set = sizedSetOf(workload, view.job);
  if (!set) return {};
  const Cores driver = spec.driver ? slaq::coresOf(*spec.driver) : Cores();
  Share share{
      set->flavor, std::max(coresOf(workload), driver + slaq::coresOf(spec.workers.pod) * set->count), {}};
  const Workers more = set->count - leastOf(spec);
  if (isSized(view) && !workload.evicted && more > Workers(0))
    share.givable = Cores(set->cores.value() / set->count.value()) * more;
  return share;
}

QuotaUse::QuotaUse(const std::vector<const ClusterQueue*>& clusterQueues,
                   const std::vector<const ClusterQueue*>& cohorts,
                   const std::vector<const Workload*>& workloads,
                   const std::map<std::string, Share>& shares) {
  for (const auto* queue : clusterQueues) addClusterQueue(*queue);
  for (const auto* cohort : cohorts) {
    for (const auto& quota : cohort->flavors) {
      const auto pool = pools_.find({cohortName(cohort->key.name), quota.flavor});
      if (pool != pools_.end()) pool->second.lent += quota.nominal;
    }
  }
  for (const auto* workload : workloads) {
    if (isReserved(*workload)) addWorkload(*workload, shares);
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
void QuotaUse::addWorkload(const Workload& workload, const std::map<std::string, Share>& shares) {
  for (const auto& set : workload.podSets) {
    const auto account = accounts_.find({workload.clusterQueue, set.flavor});
    if (account != accounts_.end()) account->second.used += set.cores;
  }
  const auto share = shares.find(workload.uid);
  if (share == shares.end()) return;
  const auto found = accounts_.find({workload.clusterQueue, share->second.flavor});
  if (found == accounts_.end()) return;
  found->second.training += share->second.held;
  found->second.givable += share->second.givable;
}

const Account* QuotaUse::find(const std::string& clusterQueue, const std::string& flavor) const {
  const auto found = accounts_.find({clusterQueue, flavor});
  return found == accounts_.end() ? nullptr : &found->second;
}

QuotaUse::Lack QuotaUse::lackOf(Cores need, const Account& account) const {
  const Cores own = positive(account.kept - account.used);
  const auto& borrowing = account.quota.borrowing;
  return {positive(need - own - idle(pools_.at(account.pool))),
          borrowing ? positive(need - (account.quota.nominal + *borrowing - usedSoon(account))) : Cores()};
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
  account.promised += need - own;
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

WaitingPlace QuotaUse::addWaiting(const Workload& workload, const std::string& clusterQueue,
                                  const std::set<std::string>& without) {
  const auto found = flavors_.find(clusterQueue);
  if (found == flavors_.end()) return {};
  std::vector<std::string> flavors;
  std::ranges::copy_if(found->second, std::back_inserter(flavors),
                       [&](const std::string& flavor) { return !without.contains(flavor); });
  const Cores need = coresOf(workload);
  for (const auto& flavor : flavors) {
    Account& account = accounts_.at({clusterQueue, flavor});
    const Lack lack = lackOf(need, account);
    if (lack.ofPool > Cores() || lack.byLimit > Cores()) continue;
    promise(need, account);
    return {Waiting::Fits, flavor};
  }
  for (const auto& flavor : flavors) {
    if (serve(need, accounts_.at({clusterQueue, flavor}))) return {Waiting::IsServed, flavor};
  }
  return {};
}

Cores QuotaUse::leftFor(const std::string& clusterQueue, const std::string& flavor) const {
  const Account* account = find(clusterQueue, flavor);
  if (!account) return Cores();
  const Cores left = positive(account->kept - account->used) + idle(pools_.at(account->pool));
  return withinLimit(left, *account, usedSoon(*account));
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
    const Cores now = sums.training + withinLimit(sums.keptLeft + idle(pool), last, usedSoon(last));
    out.push_back({nameOf(key), now, std::max(now, withinLimit(sums.kept + pool.lent, last, Cores()))});
  }
  return out;
}

}  // namespace slaq::kube::queues
