#include "page/timeline.h"

#include <algorithm>
#include <cmath>

namespace slaq::page {
namespace {

std::optional<double> finite(std::optional<double> value) {
  return value && std::isfinite(*value) ? value : std::nullopt;
}

// Keeps every second element, and the newest.
template <class Each>
void thin(std::vector<Each>& all) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i % 2 == 0 || i + 1 == all.size()) std::swap(all[kept++], all[i]);
  }
  all.resize(kept);
}

bool isAnotherSize(const std::optional<Decision>& before, const Decision& now) {
  return !before || before->workers != now.workers || before->workerCpu != now.workerCpu;
}

// The change since the previous epoch; empty if a reader would not want to know it.
std::string changeOf(const JobStatus& before, const JobStatus& now, const std::string& reason) {
  if (before.state != now.state && now.state != JobState::Running)
    return std::string(name(now.state)) + (reason.empty() ? "" : ": " + reason);
  if (!now.decision || !isAnotherSize(before.decision, *now.decision)) return "";
  return now.decision->reason;
}

void keepNewest(std::vector<Change>& changes) {
  if (changes.size() > RunTimeline::kMostChanges) changes.erase(changes.begin());
}

// A forecast is kept where something changed; otherwise less and less often as the job gets older.
bool isDue(const JobTimeline& job, Seconds now, bool changed) {
  constexpr double kLonger = 1.25;  // 24 forecasts span a factor of 200
  if (job.outlooks.empty() || changed) return true;
  const Seconds first = job.outlooks.front().made;
  const Seconds last = job.outlooks.back().made;
  return now - first > (last - first) * kLonger + Seconds(1);
}

}  // namespace

void RunTimeline::add(const Moment& moment) {
  if (!began_) began_ = moment.time;
  epochs_.push_back(moment.time - *began_);
  const std::size_t epoch = epochs_.size() - 1;
  capacity_.set(epoch, moment.capacity ? std::optional(inCores(*moment.capacity)) : std::nullopt);
  price_.set(epoch, finite(moment.price));
  for (const auto& each : moment.jobs) addJob(each);
  forgetGone(moment);
  makeRoom();
}

// A new job with the name of an earlier one gets its own timeline.
JobTimeline& RunTimeline::timelineOf(const Sighting& seen) {
  const auto found = jobs_.find(seen.key);
  if (found != jobs_.end() && found->second.created == seen.created) return found->second;
  if (found != jobs_.end()) ++recounted_;
  return jobs_[seen.key] = {.created = seen.created};
}

void RunTimeline::addJob(const Sighting& seen) {
  const JobStatus& status = seen.status;
  const std::size_t epoch = epochs_.size() - 1;
  JobTimeline& job = timelineOf(seen);
  const std::string change = changeOf(job.status, status, seen.reason);
  if (!change.empty()) job.changes.push_back({epochs_.back(), change});
  keepNewest(job.changes);
  job.mode = seen.mode;
  job.most = seen.most;
  job.reason = seen.reason;
  job.coresEach = seen.coresEach;
  job.presence.set(epoch, 1);
  job.status = status;
  job.workers.set(epoch, seen.ready.value());
  job.cores.set(epoch, inCores(seen.cores));
  if (!status.progress) return;
  job.iterations.set(epoch, finite(status.progress->iteration.value()));
  job.losses.set(epoch, finite(status.progress->loss.value()));
  if (!isDue(job, epochs_.back(), !change.empty())) return;
  if (auto outlook = seen.outlook(*began_)) job.outlooks.push_back(std::move(*outlook));
  if (job.outlooks.size() > kMostOutlooks) thin(job.outlooks);
}

// A job that has left the cluster holds neither workers nor cores. The oldest of too many such jobs are
// forgotten.
void RunTimeline::forgetGone(const Moment& moment) {
  std::vector<std::pair<Time, JobKey>> gone;
  for (auto& [key, job] : jobs_) {
    job.isGone = !std::ranges::binary_search(moment.jobs, key, {}, &Sighting::key);
    if (!job.isGone) continue;
    job.presence.set(epochs_.size() - 1, 0);
    job.cores.set(epochs_.size() - 1, 0);
    job.workers.set(epochs_.size() - 1, 0);
    gone.emplace_back(job.created, key);
  }
  if (gone.size() <= kMostGone) return;
  ++recounted_;
  std::ranges::sort(gone);
  gone.resize(gone.size() - kMostGone);
  for (const auto& each : gone) jobs_.erase(each.second);
}

std::size_t RunTimeline::points() const {
  std::size_t count = epochs_.size();
  for (const auto& [key, job] : jobs_) {
    for (const Steps* each : {&job.presence, &job.workers, &job.cores, &job.iterations, &job.losses})
      count += each->changes().size();
  }
  return count;
}

// Epochs that are close together are dropped first. Otherwise frequent looks at the present would push out a
// past that was read all at once. `apart` is chosen to keep three quarters of the epochs' limit, so that
// every second one of evenly spaced epochs stays.
void RunTimeline::makeRoom() {
  Seconds apart = std::max(epochs_.back() / (0.75 * kMostEpochs), Seconds(1e-3));
  while (epochs_.size() > 2 && (epochs_.size() > kMostEpochs || points() > kMostPoints)) {
    ++recounted_;
    keepApart(apart);
    apart *= 2;
  }
}

// A change in a dropped epoch counts for the next epoch that stays.
void RunTimeline::keepApart(Seconds apart) {
  std::vector<Seconds> kept;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < epochs_.size(); ++i) {
    places.push_back(kept.size());
    const bool stays = kept.empty() || i + 1 == epochs_.size() || epochs_[i] - kept.back() >= apart;
    if (stays) kept.push_back(epochs_[i]);
  }
  epochs_ = std::move(kept);
  for (Steps* each : {&capacity_, &price_}) each->renumber(places);
  for (auto& [key, job] : jobs_) {
    for (Steps* each : {&job.presence, &job.workers, &job.cores, &job.iterations, &job.losses})
      each->renumber(places);
  }
}

}  // namespace slaq::page
