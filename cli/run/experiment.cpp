#include "cli/run/experiment.h"

#include <algorithm>
#include <set>

#include "cli/api/served_documents.h"
#include "cli/machine/machine_watch.h"
#include "cli/run/loss_record.h"
#include "loop/epoch_loop.h"
#include "loop/epoch_runner.h"
#include "prometheus/scrape/scrape_source.h"

namespace slaq::cli::run {
namespace {

constexpr const char* kNothingFound =
    "no loss was found in what it writes; --metric names it, and --from says where else it is";

// The directory with the output of the programs; empty if it is not kept.
std::string logsOf(const Experiment& experiment) {
  return experiment.local.logs ? std::filesystem::absolute(*experiment.local.logs).string() : "";
}

class Run : private loop::EpochHost {
 public:
  Run(const Experiment& experiment, local::cluster::LocalCluster& cluster, const Surroundings& surroundings)
      : experiment_(experiment),
        cluster_(cluster),
        surroundings_(surroundings),
        loop_(cluster, losses_, surroundings.clock, experiment.settings,
              [this](const loop::EpochReport& report) { learn(report); }) {
    snapshot_.policy = std::string(name(experiment.settings.policy));
    snapshot_.capacity = experiment.settings.capacity.value_or(Cores());
    if (surroundings_.board) surroundings_.board->begin(logsOf(experiment));
  }

  Result<RunResult> untilOver() {
    const auto stopped = loop::EpochRunner(experiment_.settings, *this).run();
    if (!stopped) return failure(stopped.error());
    return resultOf(*stopped);
  }

 private:
  Seconds now() const override { return age(); }

  bool isOver() const override {
    const auto isOver = [this](const auto& each) {
      return finished(each.second.status.state) || stopped_.contains(each.first);
    };
    return views_.size() == experiment_.jobs.size() && std::ranges::all_of(views_, isOver);
  }

  Seconds age() const { return surroundings_.clock.monotonic() - began_; }

  Result<void> runEpoch() override {
    stopAsAsked();  // nothing else looks between short epochs
    auto done = loop_.run();
    event_.reset();
    return done;
  }

  std::optional<Seconds> pendingEvent() override {
    std::optional<Seconds> first = event_;
    for (const auto& [job, after] : experiment_.jobs) {
      if (!views_.contains(job.key)) first = std::min(first.value_or(after), after);
    }
    return first;
  }

  bool waitUntil(Seconds then) override { return surroundings_.wait(std::min(machine::kTick, then - age())); }

  void lookForEvents() override {
    stopAsAsked();
    if (watch_.look() && !event_) event_ = age();
    snapshot_.age = age();
    surroundings_.show(snapshot_);
  }

  void stopAsAsked() {
    if (surroundings_.board == nullptr) return;
    for (const auto& key : surroundings_.board->takeStops()) {
      const auto found = views_.find(key);
      if (found == views_.end() || finished(found->second.status.state)) continue;
      cluster_.remove(key);
      stopped_.insert(key);
      snapshot_.jobs = withThoseStopped(std::move(snapshot_.jobs));
      event_ = event_.value_or(age());
    }
  }

  // Notes the failures of a job's chief, which is started again after them.
  void noteFailure(const JobView& job, Time now) {
    const auto [failures, last] = cluster_.chiefFailures(job.job.key);
    if (failures == 0) return;
    const jobs::ChiefFailures known = std::exchange(chiefs_[job.job.key], {failures, last});
    if (surroundings_.board && failures > known.failures)
      surroundings_.board->noteEvent(job.job, api::processFailed(job.job.key.name, last), now);
  }

  void publish(const loop::EpochReport& report) {
    if (surroundings_.board == nullptr) return;
    for (const auto& [key, event] : cluster_.takeEvents()) {
      if (const auto found = views_.find(key); found != views_.end())
        surroundings_.board->noteEvent(found->second.job, event, report.view.time);
    }
    surroundings_.board->put(report);
  }

  void learn(const loop::EpochReport& report) {
    if (surroundings_.tell) surroundings_.tell(report);
    for (std::size_t i = 0; i < report.view.jobs.size(); ++i) {
      const JobKey& key = report.view.jobs[i].job.key;
      JobView& view = views_[key] = report.view.jobs[i];
      view.status = report.statuses[i];
      watch_.noteEnd(view, report.view.time);
      noteFailure(view, report.view.time);
      if (view.status.state != JobState::Failed || failures_.contains(key)) continue;
      const auto said = cluster_.chiefFailure(key);
      failures_[key] = report.plan.jobs[i].reason + (said.empty() ? "" : "\n" + said);
    }
    snapshot_.age = age();
    snapshot_.toCome = experiment_.jobs.size() - views_.size();
    publish(report);
    snapshot_.jobs = withThoseStopped(withThoseGone(jobs::rowsOf(report)));
    for (auto& row : snapshot_.jobs) {
      if (const auto found = chiefs_.find(row.key); found != chiefs_.end()) row.chief = found->second;
    }
    surroundings_.show(snapshot_);
  }

  // A job that was deleted after its time to live keeps its last state.
  std::vector<jobs::JobRow> withThoseGone(std::vector<jobs::JobRow> rows) const {
    for (const auto& old : snapshot_.jobs) {
      if (std::ranges::find(rows, old.key, &jobs::JobRow::key) == rows.end()) rows.push_back(old);
    }
    std::ranges::sort(rows, {}, &jobs::JobRow::key);
    return rows;
  }

  std::vector<jobs::JobRow> withThoseStopped(std::vector<jobs::JobRow> rows) const {
    for (auto& row : rows) {
      if (stopped_.contains(row.key)) row = jobs::stopped(std::move(row));
    }
    return rows;
  }

  std::optional<Time> endOf(const JobView& view) const {
    if (const auto end = watch_.endOf(view.job.key)) return end;
    return view.status.state == JobState::Complete ? view.status.completed : std::nullopt;
  }

  JobResult resultOf(const JobView& view) const {
    JobResult result;
    result.key = view.job.key;
    result.state = view.status.state;
    const auto record = losses_.recordOf(view.job.key);
    const auto times = timesToReduction(record.samples(), view.job.spec.loss.mode, view.job.created, kShares);
    std::ranges::copy(times, result.times.begin());
    result.needsLoss = view.job.spec.scheduling == Scheduling::Quality;
    result.exportsLoss = !view.job.spec.loss.from;
    result.problem = view.job.spec.loss.from ? kNothingFound : losses_.problemOf(view.job.key);
    result.hints = jobs::hintsOf(view.status);
    if (const auto found = chiefs_.find(view.job.key); found != chiefs_.end()) {
      // The last failure of a failed job was its end, so no start followed.
      result.restarts = found->second.failures - (view.status.state == JobState::Failed ? 1 : 0);
      result.lastFailure = found->second.last;
    }
    result.losses.assign(record.samples().begin(), record.samples().end());
    if (const auto end = endOf(view)) result.times.back() = *end - view.job.created;
    if (const auto found = failures_.find(view.job.key); found != failures_.end())
      result.failure = found->second;
    return result;
  }

  RunResult resultOf(bool stopped) const {
    RunResult result{.policy = snapshot_.policy, .jobs = {}, .interrupted = stopped};
    for (const auto& [key, view] : views_) {
      result.jobs.push_back(resultOf(view));
      result.jobs.back().isStopped = !finished(view.status.state);
    }
    return result;
  }

  const Experiment& experiment_;
  local::cluster::LocalCluster& cluster_;
  const Surroundings& surroundings_;
  const Seconds began_ = surroundings_.clock.monotonic();
  const Time beganAt_ = surroundings_.clock.now();
  prom::ScrapeSource scraper_{prom::ScrapeOptions(), surroundings_.clock};
  RecordingSource losses_{scraper_, [this](const JobKey& job, const LossSample& sample) {
                            if (surroundings_.record)
                              surroundings_.record(job, sample.time - beganAt_, sample);
                          }};
  loop::EpochLoop loop_;
  machine::MachineWatch watch_{cluster_, losses_, loop_};
  jobs::RunSnapshot snapshot_;
  // The time since when a job has been over, or cores that a job waits for have been free.
  std::optional<Seconds> event_;
  std::map<JobKey, JobView> views_;         // the last view of each, with the status that was decided
  std::set<JobKey> stopped_;                // by slaq stop
  std::map<JobKey, std::string> failures_;  // the reason, and the chief's last output
  std::map<JobKey, jobs::ChiefFailures> chiefs_;
};

}  // namespace

Result<RunResult> runExperiment(const Experiment& experiment, std::unique_ptr<local::cpu::CpuLimiter> limiter,
                                const Surroundings& surroundings) {
  auto cluster = local::cluster::LocalCluster::start(experiment.jobs, experiment.local, std::move(limiter),
                                                     surroundings.clock);
  if (!cluster) return failure(cluster.error());
  return Run(experiment, **cluster, surroundings).untilOver();
}

}  // namespace slaq::cli::run
