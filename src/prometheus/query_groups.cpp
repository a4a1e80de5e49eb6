#include "prometheus/query_groups.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <tuple>

namespace slaq::prom {
namespace {

// A group's answer has at most 200 points of each series, or the samples of some 75 s: a few megabytes.
constexpr std::size_t kMostJobs = 200;

constexpr Seconds kDoubled{60};  // the number of jobs, in this time

int ageGroup(Seconds age) { return static_cast<int>(std::floor(std::log2(std::max(age.count(), 1.0)) / 2)); }

}  // namespace

std::size_t GroupSizes::Failure::jobsAt(Time now) const {
  if (now < time) return kMostJobs;  // wall time was set back
  const double all = static_cast<double>(jobs) * std::exp2(std::floor((now - time) / kDoubled));
  return static_cast<std::size_t>(std::min(all, double(kMostJobs)));
}

std::size_t GroupSizes::of(const JobKey& job, Time now) const {
  const auto found = failures_.find(job);
  return found == failures_.end() ? kMostJobs : found->second.jobsAt(now);
}

void GroupSizes::failed(const Requests& group, Time now) {
  std::erase_if(failures_, [&](const auto& each) { return each.second.jobsAt(now) == kMostJobs; });
  for (const auto* job : group) failures_[job->job] = {std::max<std::size_t>(group.size() / 2, 1), now};
}

std::vector<Requests> groupsOf(const Requests& jobs, const GroupSizes& sizes, Time now) {
  using Sort = std::tuple<int, bool, std::size_t>;  // age, whether it has an initial loss, size of its group
  std::map<Sort, Requests> sorts;
  for (const auto* job : jobs)
    sorts[{ageGroup(now - job->since), !job->wantsInitial, sizes.of(job->job, now)}].push_back(job);
  std::vector<Requests> groups;
  for (const auto& [sort, members] : sorts)
    std::ranges::move(partsOf(members, std::get<std::size_t>(sort)), std::back_inserter(groups));
  return groups;
}

}  // namespace slaq::prom
