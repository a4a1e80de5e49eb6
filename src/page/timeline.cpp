#include "page/timeline.h"

#include <algorithm>
#include <cmath>

#include "page/outlook.h"
#include "scheduler/explain/plan_text.h"
#include "scheduler/state/sizes.h"

namespace slaq::page {
namespace {

std::optional<double> finite(std::optional<double> value) {
  return value && std::isfinite(*value) ? value : std::nullopt;
}

std::optional<double> valueOf(const std::optional<Loss>& loss) {
  return loss ? finite(loss->value()) : std::nullopt;
}

// Every second one, and the newest of all.
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

// What has changed since the epoch before; empty: nothing that a reader would want to be told.
std::string changeOf(const JobStatus& before, const JobStatus& now, const std::string& reason) {
  if (before.state != now.state && now.state != JobState::Running)
    return std::string(name(now.state)) + (reason.empty() ? "" : ": " + reason);
  if (!now.decision || !isAnotherSize(before.decision, *now.decision)) return "";
  return now.decision->reason;
}

void keepNewest(std::vector<Change>& changes) {
  if (changes.size() > RunTimeline::kMostChanges) changes.erase(changes.begin());
}

// A forecast is kept where something changed, and else the more seldom the older the job is.
bool isDue(const JobTimeline& job, Seconds now, bool changed) {
  constexpr double kLonger = 1.25;  // 24 forecasts span a factor of 200
  if (job.outlooks.empty() || changed) return true;
  const Seconds first = job.outlooks.front().made;
  const Seconds last = job.outlooks.back().made;
  return now - first > (last - first) * kLonger + Seconds(1);
}

}  // namespace

void RunTimeline::add(const loop::EpochReport& report) {
  if (!began_) began_ = report.view.time;
  epochs_.push_back(report.view.time - *began_);
  const std::size_t epoch = epochs_.size() - 1;
  capacity_.set(epoch, inCores(report.capacity));
  price_.set(epoch, finite(report.plan.price));
  for (std::size_t i = 0; i < report.view.jobs.size(); ++i) addJob(report, i);
  forgetGone(report.view);
  makeRoom();
}

void RunTimeline::addJob(const loop::EpochReport& report, std::size_t place) {
  const JobView& view = report.view.jobs[place];
  const JobStatus& status = report.statuses[place];
  const auto history = report.histories.find(view.job.key);
  const std::size_t epoch = epochs_.size() - 1;
  auto found = jobs_.find(view.job.key);
  // A new job of an old name has a timeline of its own.
  if (found != jobs_.end() && found->second.created != view.job.created) {
    jobs_.erase(found);
    found = jobs_.end();
    ++recounted_;
  }
  if (found == jobs_.end())
    found = jobs_.emplace(view.job.key, JobTimeline{.created = view.job.created}).first;
  JobTimeline& job = found->second;
  const std::string change = changeOf(job.status, status, report.plan.jobs[place].reason);
  if (!change.empty()) job.changes.push_back({epochs_.back(), change});
  keepNewest(job.changes);
  job.mode = view.job.spec.loss.mode;
  job.most = view.job.spec.workers.max;
  job.status = status;
  job.workers.set(epoch, view.workers.ready.value());
  job.cores.set(epoch, inCores(scheduler::coresInUse(view)));
  job.forecasts.set(epoch, status.decision ? valueOf(status.decision->forecast) : std::nullopt);
  if (!status.progress) return;
  job.iterations.set(epoch, finite(status.progress->iteration.value()));
  job.losses.set(epoch, finite(status.progress->loss.value()));
  if (finished(status.state) || history == report.histories.end()) return;
  if (!isDue(job, epochs_.back(), !change.empty())) return;
  if (auto outlook = outlookOf(history->second, job.mode, report.view.time, *began_))
    job.outlooks.push_back(std::move(*outlook));
  if (job.outlooks.size() > kMostOutlooks) thin(job.outlooks);
}

// A job that has left the cluster holds nothing.
void RunTimeline::forgetGone(const ClusterView& view) {
  std::vector<std::pair<Time, JobKey>> gone;
  for (auto& [key, job] : jobs_) {
    job.isGone = !std::ranges::binary_search(
        view.jobs, key, {}, [](const JobView& each) -> const JobKey& { return each.job.key; });
    if (!job.isGone) continue;
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
    for (const Steps* each : {&job.workers, &job.cores, &job.iterations, &job.losses, &job.forecasts})
      count += each->changes().size();
  }
  return count;
}

void RunTimeline::makeRoom() {
  while (epochs_.size() > 2 && (epochs_.size() > kMostEpochs || points() > kMostPoints)) {
    ++recounted_;
    // The newest epoch stays: with an even number of them the one before it would.
    if (epochs_.size() % 2 == 0) epochs_.push_back(epochs_.back());
    std::size_t kept = 0;
    for (std::size_t i = 0; i < epochs_.size(); i += 2) epochs_[kept++] = epochs_[i];
    epochs_.resize(kept);
    for (Steps* each : {&capacity_, &price_}) each->halve();
    for (auto& [key, job] : jobs_) {
      for (Steps* each : {&job.workers, &job.cores, &job.iterations, &job.losses, &job.forecasts})
        each->halve();
    }
  }
}

}  // namespace slaq::page
