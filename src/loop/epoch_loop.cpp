#include "loop/epoch_loop.h"

#include <algorithm>

#include "forecast/predictors/registry.h"
#include "job/kind.h"
#include "loop/learning.h"
#include "loop/status/status.h"
#include "scheduler/decision/decide.h"
#include "scheduler/lifecycle/capacity.h"
#include "scheduler/state/observe.h"
#include "scheduler/state/record.h"
#include "scheduler/state/resize_watch.h"

namespace slaq::loop {
namespace {

// The loop reads or writes the records of kinds at most once in this time.
constexpr Seconds kRecordInterval{10};

// An epoch begins no action later than this after its first one, or than its period if that is longer. It
// waits at most half that time for the statuses of ended jobs. Where the cluster takes one write at a time,
// it waits at most another half for the other statuses. The next epoch decides again on whatever is left.
constexpr Seconds kLongestWriting{10};

// Statuses wait this long so that the epoch's actions go first. Thousands of actions take longer, and the
// other jobs have news meanwhile.
constexpr Seconds kActionsAlone{1};

bool mayHaveLoss(const JobView& view) {
  return !view.job.deleting && !finished(view.status.state) && (view.workers.exists || view.driver.exists);
}

// Adds the losses that the cluster itself shows. The clock of a trainer may be ahead.
void addShown(const ClusterView& view, LossReport& report) {
  for (const auto& each : view.jobs) {
    if (!each.shownLoss || !mayHaveLoss(each)) continue;
    JobLoss& loss = report[each.job.key];
    if (auto sample = each.shownLoss->sample) {
      sample->time = std::min(sample->time, view.time);
      loss.samples.push_back(*sample);
    } else if (loss.samples.empty()) {
      loss.problem = each.shownLoss->problem;
    }
  }
}

void notePlan(scheduler::JobHistory& history, const scheduler::JobPlan& plan) {
  history.planned = plan.state;
  if (plan.priorityBoost) history.priorityBoost = plan.priorityBoost;
  history.awaited.reset();
  if (plan.awaited > Cores()) history.awaited = scheduler::Size{plan.target, plan.targetCpu};
}

LossRequest requestFor(const JobView& view, const scheduler::JobHistory& history) {
  const auto& loss = view.job.spec.loss;
  return {.job = view.job.key,
          .uid = view.job.uid,
          .metric = loss.metric,
          .iterationMetric = loss.iterationMetric,
          .since = history.losses.lastSample ? *history.losses.lastSample - kSampleOverlap : view.job.created,
          .endpoint = view.metricsEndpoint,
          .query = loss.query,
          .iterationQuery = loss.iterationQuery,
          .pods = view.workers.cpu ? view.workers.cpu->pods : "",
          .isReported = loss.from.has_value(),
          .wantsInitial = history.losses.series.empty()};
}

// True if samples read for one are valid for the other: they agree in everything but the hints.
bool isReadAlike(LossSpec one, const LossSpec& other) {
  one.convergence = other.convergence;
  one.target = other.target;
  return one == other;
}

// True if the history was learned from this job. After an edit of the loss's description, as after a restart
// of the controller, the history begins again.
bool isOf(const scheduler::JobHistory& history, const TrainingJob& job) {
  return history.uid == job.uid && isReadAlike(history.losses.spec, job.spec.loss);
}

}  // namespace

EpochLoop::EpochLoop(Cluster& cluster, LossSource& losses, const Clock& clock, scheduler::Settings settings,
                     Report report, scheduler::FutureSource futureSource,
                     std::unique_ptr<forecast::Predictor> predictor)
    : cluster_(cluster),
      losses_(losses),
      clock_(clock),
      settings_(std::move(settings)),
      predictor_(predictor ? std::move(predictor)
                           : makePredictor(settings_.predictor, forecast::defaultConstants())),
      report_(std::move(report)),
      futureSource_(std::move(futureSource)),
      statusWriter_(cluster_, clock_),
      actionWriter_(cluster_, clock_) {}

Result<void> EpochLoop::run() {
  const Seconds begun = clock_.monotonic();
  statusWriter_.beginObserving();
  const auto view = cluster_.observe();
  if (!view) return failure(view.error());
  const auto recordOutage = exchangeRecords();
  const Histories histories = remember(*view);
  const auto outage = readLosses(*view, histories);
  if (outage) std::ranges::for_each(histories, [](auto* history) { forgiveUnseen(*history); });
  const Seconds observed = clock_.monotonic();

  const scheduler::Snapshot snapshot = snapshotOf(*view, histories, outage.has_value());
  const scheduler::Plan plan = decide(snapshot, settings_);
  heldThen_.reset();
  if (std::ranges::any_of(plan.jobs, [](const scheduler::JobPlan& job) { return job.awaited > Cores(); }))
    heldThen_.emplace(*view);
  const Seconds decided = clock_.monotonic();

  const auto statuses = statusesOf(snapshot, plan);
  const auto results = write(snapshot, plan, statuses);
  const Seconds applied = clock_.monotonic();

  report_({++number_, *view, snapshot.capacity, histories_, plan, statuses, results, statusWriter_.failures(),
           outage, recordOutage, observed - begun, decided - observed, applied - decided});
  for (std::size_t i = 0; i < plan.jobs.size(); ++i) notePlan(*histories[i], plan.jobs[i]);
  return {};
}

// Reads once what earlier loops stored. From then on it stores what is new.
std::optional<Error> EpochLoop::exchangeRecords() {
  const Seconds now = clock_.monotonic();
  const bool isDue = !recordsExchanged_ || now - *recordsExchanged_ >= kRecordInterval;
  if (!records_ || !isDue) return std::nullopt;
  if (!recalled_) {
    recordsExchanged_ = now;
    const auto recalled = recall();
    return recalled ? std::nullopt : std::optional(recalled.error());
  }
  const auto changed = peers_.records.changed();
  if (changed.empty()) return std::nullopt;
  recordsExchanged_ = now;
  if (const auto written = records_->write(changed); !written) return written.error();
  peers_.records.setKept();
  return std::nullopt;
}

Result<void> EpochLoop::recall() {
  const auto kinds = records_->read();
  if (!kinds) return failure(kinds.error());
  recalled_ = true;
  for (const KindRecord& kind : *kinds) {
    for (const TrainingRecord& each : kind.newest) teach(kind.kind, each, *predictor_, peers_);
  }
  peers_.records.restore(*kinds);
  return {};
}

// Keeps one history for each existing job, at the same address, and drops those of deleted jobs.
EpochLoop::Histories EpochLoop::remember(const ClusterView& view) {
  std::map<JobKey, scheduler::JobHistory> kept;
  Histories histories;
  scheduler::keepFirstStart(histories_, view.time);
  for (const auto& job : view.jobs) {
    auto known = histories_.extract(job.job.key);
    const bool isKnown = known && isOf(known.mapped(), job.job);
    auto& history = isKnown ? kept.insert(kept.end(), std::move(known))->second : kept[job.job.key];
    history.uid = job.job.uid;
    history.losses.spec = job.job.spec.loss;
    if (history.kind.empty()) history.kind = kindOf(job.job);  // that of a target may come later
    observe(history, job, view.time);
    shareGrowthTime(history, peers_.growths, view.time);
    if (job.workers.succeeded || job.driver.succeeded || (job.chiefEnd && job.chiefEnd->succeeded))
      updatePeersAtEnd(history, view.time, *predictor_, peers_);
    expect(history, job.job.spec, *predictor_, peers_);
    if (!isKnown) restore(history, job.status);
    if (futureSource_) history.knownFuture = futureSource_(job.job.key);
    histories.push_back(&history);
  }
  histories_ = std::move(kept);
  return histories;
}

std::optional<Error> EpochLoop::readLosses(const ClusterView& view, const Histories& histories) {
  std::vector<LossRequest> requests;
  for (std::size_t i = 0; i < view.jobs.size(); ++i) {
    const auto& shown = view.jobs[i].shownLoss;
    const bool isAsked = mayHaveLoss(view.jobs[i]) && !(shown && shown->sample);
    if (isAsked) requests.push_back(requestFor(view.jobs[i], *histories[i]));
  }
  auto answer = losses_.collect(requests, view.time);
  LossReport report = answer ? std::move(*answer) : LossReport();
  addShown(view, report);
  std::vector<JobObservation> observations;
  for (std::size_t i = 0; i < view.jobs.size(); ++i) {
    const auto found = report.find(view.jobs[i].job.key);
    const bool isRead = found != report.end() && !found->second.waits;
    if (isRead || !mayHaveLoss(view.jobs[i])) histories[i]->losses.lastRead = view.time;
    if (found == report.end()) continue;
    observations.push_back(observationOf(view.jobs[i], found->second, *histories[i]));
  }
  updateAll(observations, *predictor_, peers_, threadsFor(observations.size()));
  return answer ? std::nullopt : std::optional(answer.error());
}

scheduler::Snapshot EpochLoop::snapshotOf(const ClusterView& view, const Histories& histories,
                                          bool lossSourceDown) const {
  scheduler::Snapshot snapshot{.now = view.time, .lossSourceDown = lossSourceDown, .jobs = {}};
  snapshot.capacity = settings_.capacity.value_or(scheduler::capacityOf(view));
  snapshot.leaving = view.leaving;
  snapshot.releasesAtOnce = view.releasesAtOnce;
  snapshot.memory = view.memory;
  snapshot.quotas = view.quotas;
  snapshot.queueQuotas = view.queueQuotas;
  for (std::size_t i = 0; i < view.jobs.size(); ++i) {
    snapshot.jobs.push_back({&view.jobs[i], histories[i]});
  }
  return snapshot;
}

std::vector<ActionResult> EpochLoop::write(const scheduler::Snapshot& snapshot, const scheduler::Plan& plan,
                                           const std::vector<JobStatus>& statuses) {
  const Seconds longest = std::max(settings_.epoch, kLongestWriting);
  std::vector<ActionResult> results;
  statusWriter_.begin(snapshot, statuses, settings_);
  statusWriter_.writeEnds(writingFor(0.5 * longest));
  if (settings_.mode != Mode::Observe) {
    statusWriter_.writeOthersAfter(kActionsAlone);
    results = actionWriter_.apply(snapshot, plan, statusWriter_, settings_.epoch, writingFor(longest));
  }
  statusWriter_.writeOthers(writingFor(0.5 * longest));
  return results;
}

std::function<bool()> EpochLoop::writingFor(Seconds time) const {
  return [this, until = clock_.monotonic() + time] { return clock_.monotonic() < until && mayGoOn_(); };
}

std::vector<JobStatus> EpochLoop::statusesOf(const scheduler::Snapshot& snapshot,
                                             const scheduler::Plan& plan) const {
  std::vector<JobStatus> statuses;
  for (std::size_t i = 0; i < plan.jobs.size(); ++i) {
    statuses.push_back(statusOf(snapshot.jobs[i], plan.jobs[i], snapshot, settings_));
    if (statuses.back().decision) statuses.back().decision->price = plan.price;
  }
  return statuses;
}

}  // namespace slaq::loop
