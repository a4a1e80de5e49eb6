#include "prometheus/query_groups.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <tuple>

namespace slaq::prom {
namespace {

constexpr Seconds kStands{60};  // a size, before it may grow

int ageGroup(Seconds age) { return static_cast<int>(std::floor(std::log2(std::max(age.count(), 1.0)) / 2)); }

}  // namespace

void GroupSize::failed(std::size_t jobs, Time now) {
  jobs_ = std::max<std::size_t>(jobs / 2, 1);
  changed_ = now;
}

void GroupSize::answered(Time now) {
  const bool stands = now >= changed_ && now - changed_ < kStands;  // wall time can be set back
  if (stands || jobs_ == kMostJobsOfAGroup) return;
  jobs_ = std::min(2 * jobs_, kMostJobsOfAGroup);
  changed_ = now;
}

std::vector<Requests> groupsOf(const std::vector<GroupMember>& members) {
  using Kind =
      std::tuple<int, bool, std::size_t>;  // age, whether its initial loss is known, size of the group
  std::map<Kind, Requests> kinds;
  for (const auto& [job, age, mostJobs] : members)
    kinds[{ageGroup(age), !job->wantsInitial, mostJobs}].push_back(job);
  std::vector<Requests> groups;
  for (const auto& [kind, jobs] : kinds)
    std::ranges::move(partsOf(jobs, std::get<std::size_t>(kind)), std::back_inserter(groups));
  return groups;
}

}  // namespace slaq::prom
