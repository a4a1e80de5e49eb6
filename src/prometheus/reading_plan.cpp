#include "prometheus/reading_plan.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

namespace slaq::prom {
namespace {

// A job is read with all others if its newest sample came within this number of scrapes before the last
// reading.
constexpr double kRecentScrapes = 3;

// One answer for all jobs may bring this number of samples of each metric: some six megabytes.
constexpr double kSamplesOfAnAnswer = 100'000;

bool isSmall(const Requests& jobs, const ReadingTimes& times) {
  const double scrapes = times.reachOf(jobs) / times.scrapeInterval;
  return scrapes * static_cast<double>(jobs.size()) <= kSamplesOfAnAnswer;
}

}  // namespace

Divided::Divided(const Requests& jobs, const Crowds& crowds) {
  for (const auto* job : jobs)
    (crowds.namespaces().contains(job->job.ns) ? crowded[job->job.ns] : others).push_back(job);
}

Seconds ReadingTimes::reachOf(const Requests& jobs) const {
  Time oldest = now - scrapeInterval;
  for (const auto* job : jobs) oldest = std::min(oldest, job->since);
  return std::min(furthest, now - oldest + Seconds(1));
}

ReadingPlan planOf(const Requests& jobs, const Crowds& crowds, const ReadingTimes& times) {
  const Divided divided(jobs, crowds);
  const Time recent = times.before - kRecentScrapes * times.scrapeInterval - kSampleOverlap;
  Requests together;
  Requests fresh;
  Requests starting;
  Requests silent;
  for (const auto* job : divided.others) {
    if (job->since < recent) {
      (job->wantsInitial && job->endpoint ? starting : silent).push_back(job);
    } else {
      (job->wantsInitial ? fresh : together).push_back(job);
    }
  }
  if (together.empty() || fresh.size() > kJobsOfOneQuery)
    std::ranges::move(std::exchange(fresh, {}), std::back_inserter(together));
  const bool areMany = starting.size() + silent.size() > kJobsOfOneQuery;
  if ((together.empty() || areMany) && isSmall(divided.others, times)) {
    together = divided.others;
    for (auto* apart : {&fresh, &starting, &silent}) apart->clear();
  }
  std::vector<Requests> crowded;
  for (const auto& [ns, neighbours] : divided.crowded)
    std::ranges::move(groupsOf(neighbours), std::back_inserter(crowded));
  return {std::move(together), std::move(fresh), std::move(crowded), groupsOf(starting), groupsOf(silent)};
}

}  // namespace slaq::prom
