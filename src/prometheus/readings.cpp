#include "prometheus/readings.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>

namespace slaq::prom {
namespace {

// The series of a job are counted at most once in this time.
constexpr Seconds kCounted{60};

}  // namespace

bool Reading::isOf(const LossRequest& job) const {
  return uid == job.uid && metric == job.metric && iterationMetric == job.iterationMetric;
}

bool Reading::needsHistory(const LossRequest& job, Time rawFrom) const {
  if (job.since >= rawFrom) return false;
  return !until || *until < rawFrom || job.since < since;  // the caller forgot what it knew
}

bool Reading::mayBeCounted(Time now) const {
  return !counted || now < *counted || now - *counted >= kCounted;  // wall time can be set back
}

Readings readingsOf(const std::vector<LossRequest>& jobs, Readings before, std::uint64_t calls) {
  Readings readings;
  for (const LossRequest& job : jobs) {
    const auto known = before.find(job.job);
    Reading& reading = readings[job.job] =
        known == before.end() ? Reading{.asked = calls} : std::move(known->second);
    if (reading.isOf(job)) continue;
    // Its turn and its size stay: a user who creates a job again and again does not come before others.
    reading = {.uid = job.uid,
               .metric = job.metric,
               .iterationMetric = job.iterationMetric,
               .size = reading.size,
               .hasFailed = reading.hasFailed,
               .asked = reading.asked};
  }
  return readings;
}

std::vector<Requests> groupsInTurn(const Requests& jobs, const Readings& readings, Time now, Time rawFrom) {
  // A query for another job of the same name would select the series of a job with too many.
  std::set<std::string_view> namesOfLarge;
  for (const auto& [job, reading] : readings) {
    if (reading.tooMany) namesOfLarge.insert(job.name);
  }
  std::vector<GroupMember> healthy;
  std::vector<GroupMember> failed;
  for (const auto* job : jobs) {
    const Reading& reading = readings.at(job->job);
    const Seconds age = now - std::max(job->since, rawFrom);
    const std::size_t most = namesOfLarge.contains(job->job.name) ? 1 : reading.size.jobs();
    (reading.hasFailed ? failed : healthy).push_back({job, age, most});
  }
  std::vector<Requests> all;
  for (const auto* members : {&healthy, &failed}) {
    auto groups = groupsOf(*members);
    std::ranges::stable_sort(groups, {}, [&](const Requests& group) {
      const auto asked = [&](const auto* job) { return readings.at(job->job).asked; };
      return asked(*std::ranges::min_element(group, {}, asked));
    });
    std::ranges::move(groups, std::back_inserter(all));
  }
  return all;
}

}  // namespace slaq::prom
