#include "simulate/run/virtual_cluster.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace slaq::simulate {
namespace {

// Virtual time begins here, since the scheduler uses the clock's own epoch for "never".
constexpr Time kBeginning{Seconds(1'000'000)};

VirtualCluster::Entry entryOf(const SimulatedJob& job) {
  VirtualCluster::Entry entry{.spec = &job,
                              .view = {},
                              .training = Training(job),
                              .progression = Progression(job.arrival, *job.trace)};
  entry.view.job = trainingJobOf(job);
  entry.view.job.created = kBeginning + job.arrival;
  return entry;
}

void showPods(WorkersView& workers, const Training& training) {
  workers.exists |= training.started();
  workers.suspended = workers.exists && !training.started();
  workers.desired = workers.active = training.workers();
  workers.ready = training.ready();
  workers.terminating = training.leaving();
}

// The workers that a job is to have after an action. Other kinds of actions end all workers of a simulated
// job.
Workers workersAfter(const Action& action) {
  if (const auto* start = std::get_if<StartJob>(&action)) return start->workers;
  if (const auto* scale = std::get_if<ScaleWorkers>(&action)) return scale->to;
  return Workers(0);
}

}  // namespace

VirtualCluster::VirtualCluster(const Workload& workload, bool timed)
    : scrape_(workload.scrape),
      epoch_(workload.epoch),
      linger_(workload.linger),
      endReleases_(workload.endReleases),
      timed_(timed) {
  jobs_.reserve(workload.jobs.size());
  for (const auto& job : workload.jobs) {
    jobs_.push_back(entryOf(job));
    releasesAtOnce_ &= job.pauses.release == Seconds(0);
  }
}

void VirtualCluster::passUntil(Seconds time) {
  const bool scrapes = scrape_ > Seconds(0);
  const double next = scrapes ? std::floor(elapsed_ / scrape_) + 1 : 0;
  for (auto& job : jobs_) {
    if (!isActive(job)) continue;
    for (double k = next; scrapes && scrape_ * k <= time; ++k) {
      train(job, scrape_ * k);
      scrape(job, scrape_ * k);
    }
    train(job, time);
  }
  elapsed_ = time;
}

void VirtualCluster::train(Entry& job, Seconds until) {
  auto& training = job.training;
  training.advance(until, [&](Seconds then) {
    job.progression.reach(then, training.loss());
    if (training.over()) job.progression.complete(then);
  });
}

void VirtualCluster::scrape(Entry& job, Seconds then) const {
  if (!job.training.begun() || job.training.over()) return;
  const auto iteration = Iterations(static_cast<double>(job.training.iteration()));
  const auto exported = [&](double loss) { return oriented(job.spec->mode, Loss(loss)); };
  job.samples.push_back({kBeginning + then, iteration, exported(job.training.loss()),
                         exported(job.spec->trace->losses.front())});
}

bool VirtualCluster::isActive(const Entry& job) const {
  return job.spec->arrival <= elapsed_ && !job.training.over();
}

Seconds VirtualCluster::shownEnd(const Entry& job) const {
  return job.spec->arrival + *job.progression.completion() + linger_.value_or(Seconds(0));
}

// A lingering end must be observed until a written status shows it. Where no decision is made any more, it
// counts as shown after one epoch.
bool VirtualCluster::isSeen(const Entry& job) const {
  if (isActive(job)) return true;
  if (!linger_) return job.training.over() && !job.endShown;
  return job.training.over() && !finished(job.view.status.state) && elapsed_ < shownEnd(job) + epoch_;
}

std::optional<Seconds> VirtualCluster::nextArrival() const {
  std::optional<Seconds> next;
  for (const auto& job : jobs_) {
    const Seconds arrival = job.spec->arrival;
    if (arrival > elapsed_) next = std::min(next.value_or(arrival), arrival);
  }
  return next;
}

std::optional<Seconds> VirtualCluster::nextRelease() const {
  std::optional<Seconds> next;
  for (const auto& job : jobs_) {
    const auto release = isActive(job) ? job.training.release() : job.freed;
    if (release) next = std::min(next.value_or(*release), *release);
  }
  return next;
}

std::optional<Seconds> VirtualCluster::shownEndWithin(const Entry& job, Seconds until) const {
  Training ahead = job.training;
  std::optional<Seconds> end;
  ahead.advance(until, [&](Seconds then) {
    if (ahead.over()) end = then + linger_.value_or(Seconds(0));
  });
  return end;
}

std::optional<Seconds> VirtualCluster::nextEnd(Seconds until) const {
  std::optional<Seconds> next;
  for (const auto& job : jobs_) {
    if (job.endSeen || job.spec->arrival > elapsed_) continue;
    const auto end = job.training.over() ? shownEnd(job) : shownEndWithin(job, until);
    if (end && *end <= until) next = std::min(next.value_or(*end), *end);
  }
  return next;
}

// The curve is the unchanged trace: where a loss rises for a while, no iteration within that while has a
// value, but reaching its end has.
std::optional<scheduler::KnownFuture> VirtualCluster::futureOf(const JobKey& key) const {
  const Entry* job = find(key);
  if (!job) return std::nullopt;
  const auto& losses = job->spec->trace->losses;
  return scheduler::KnownFuture{.curve = {.family = forecast::CurveFamily::Tabulated, .table = losses},
                                .iteration = job->training.position(),
                                .speed = speedOf(*job->spec),
                                .first = losses.front(),
                                .final = std::ranges::min(losses)};
}

Time VirtualCluster::now() const { return kBeginning + elapsed_; }

Seconds VirtualCluster::monotonic() const { return timed_ ? SystemClock().monotonic() : elapsed_; }

Result<ClusterView> VirtualCluster::observe() {
  ClusterView view{.time = now(), .releasesAtOnce = releasesAtOnce_};
  for (auto& job : jobs_) {
    job.freed.reset();
    job.endSeen = job.training.over() && (!linger_ || elapsed_ >= shownEnd(job));
    if (!isSeen(job)) continue;
    job.endShown = job.training.over();
    showPods(job.view.workers, job.training);
    const bool isReleased = !linger_ || (endReleases_ && job.endSeen);
    if (job.endShown && isReleased) job.view.workers = {.exists = true};
    job.view.workers.succeeded = job.endSeen;
    view.jobs.push_back(job.view);
  }
  return view;
}

Result<void> VirtualCluster::apply(const Action& action) {
  Entry* job = find(jobOf(action));
  if (!job) return failure(ErrorKind::NotFound, "there is no job " + toString(jobOf(action)));
  job->training.resize(elapsed_, workersAfter(action));
  if (!job->training.over()) job->progression.reach(elapsed_, job->training.loss());
  return {};
}

Result<void> VirtualCluster::writeStatus(const JobKey& key, const std::string&, const JobStatus& status) {
  Entry* job = find(key);
  if (!job) return failure(ErrorKind::NotFound, "there is no job " + toString(key));
  if (!endReleases_ && finished(status.state) && !finished(job->view.status.state)) job->freed = elapsed_;
  job->view.status = status;
  return {};
}

Result<LossReport> VirtualCluster::collect(const std::vector<LossRequest>& requests, Time) {
  LossReport report;
  for (const auto& request : requests) {
    Entry* job = find(request.job);
    if (!job) continue;
    if (scrape_ == Seconds(0)) scrape(*job, elapsed_);
    report[request.job].samples = std::exchange(job->samples, {});
  }
  return report;
}

VirtualCluster::Entry* VirtualCluster::find(const JobKey& key) {
  const auto found = std::ranges::lower_bound(
      jobs_, key, {}, [](const Entry& job) -> const JobKey& { return job.view.job.key; });
  return found != jobs_.end() && found->view.job.key == key ? &*found : nullptr;
}

const VirtualCluster::Entry* VirtualCluster::find(const JobKey& key) const {
  return const_cast<VirtualCluster*>(this)->find(key);
}

}  // namespace slaq::simulate
