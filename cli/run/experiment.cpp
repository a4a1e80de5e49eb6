#include "cli/run/experiment.h"

#include <algorithm>

#include "cli/api/served_documents.h"
#include "cli/machine/machine_watch.h"
#include "cli/run/live_jobs.h"
#include "cli/run/loss_record.h"
#include "loop/epoch_loop.h"
#include "loop/epoch_runner.h"
#include "prometheus/scrape/scrape_source.h"

namespace slaq::cli::run {
namespace {

constexpr const char* kNothingFound =
    "no loss was found in what it writes; --metric names it, --pattern describes its line, and --from says "
    "where else it is";

constexpr const char* kBySlaqStop = "by slaq stop";

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
    const auto stopped = loop::EpochRunner(experiment_.settings, *this, machine::kLeastBetweenEpochs).run();
    if (!stopped) return failure(stopped.error());
    if (*stopped) {
      live_.stopAll("since the run was interrupted", surroundings_.clock.now());
      publish();
    }
    return resultOf(*stopped);
  }

 private:
  Seconds now() const override { return age(); }

  bool isOver() const override {
    const auto isOver = [this](const auto& each) { return live_.isOver(each.job.key); };
    return std::ranges::all_of(experiment_.jobs, isOver);
  }

  // The job, if it has not arrived yet and no user has stopped it; else null.
  const TrainingJob* toCome(const JobKey& key) const {
    if (live_.views().contains(key) || live_.isStopped(key)) return nullptr;
    const auto found = std::ranges::find(experiment_.jobs, key,
                                         [](const auto& each) -> const JobKey& { return each.job.key; });
    return found == experiment_.jobs.end() ? nullptr : &found->job;
  }

  Seconds age() const { return surroundings_.clock.monotonic() - began_; }

  Result<void> runEpoch() override {
    auto done = loop_.run();
    event_.reset();
    return done;
  }

  std::optional<Seconds> pendingEvent() override {
    std::optional<Seconds> first = event_;
    for (const auto& [job, after] : experiment_.jobs) {
      if (toCome(job.key)) first = std::min(first.value_or(after), after);
    }
    return first;
  }

  bool waitUntil(Seconds then) override { return surroundings_.wait(std::min(machine::kTick, then - age())); }

  void lookForEvents() override {
    stopAsAsked();
    if (watch_.look() && !event_) event_ = age();
    live_.seen(watch_.seen(), losses_);
    publish();
  }

  void stopAsAsked() {
    if (surroundings_.board == nullptr) return;
    const Time now = surroundings_.clock.now();
    for (const auto& key : surroundings_.board->takeStops()) {
      const TrainingJob* job = toCome(key);
      if (!job && !live_.goesOn(key)) continue;
      cluster_.remove(key);
      surroundings_.board->noteStopped(key);
      if (job) {
        live_.withdraw(*job, kBySlaqStop, now);
        continue;
      }
      live_.stop(key, kBySlaqStop, now);
      surroundings_.board->noteEvent(
          live_.views().at(key).job,
          {.warning = false, .reason = jobs::kStopped, .message = "slaq stop ended it"}, now);
      event_ = event_.value_or(age());
    }
  }

  // Shows the jobs as they are now.
  void publish() {
    snapshot_.age = age();
    snapshot_.toCome = static_cast<std::size_t>(
        std::ranges::count_if(experiment_.jobs, [this](const auto& each) { return toCome(each.job.key); }));
    snapshot_.jobs = live_.rows();
    if (surroundings_.board != nullptr) tellBoard();
    surroundings_.show(snapshot_);
  }

  void tellBoard() {
    const Time now = surroundings_.clock.now();
    for (const auto& key : live_.takeFailing()) {
      surroundings_.board->noteEvent(live_.views().at(key).job,
                                     api::processFailed(jobs::shortName(key), live_.failuresOf(key).last),
                                     now);
    }
    for (const auto& [key, event] : cluster_.takeEvents()) {
      if (const auto found = live_.views().find(key); found != live_.views().end())
        surroundings_.board->noteEvent(found->second.job, event, now);
    }
    surroundings_.board->put(live_.told());
  }

  void learn(const loop::EpochReport& report) {
    if (surroundings_.tell) surroundings_.tell(report);
    for (const auto& view : report.view.jobs) watch_.noteEnd(view, report.view.time);
    live_.decided(report);
    publish();
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
    result.isStopped = live_.isStopped(view.job.key);
    if (!result.isStopped) {  // nobody knows how far a job that was stopped would have come
      const auto times =
          timesToReduction(record.samples(), view.job.spec.loss.mode, view.job.created, kShares);
      std::ranges::copy(times, result.times.begin());
    }
    result.needsLoss = view.job.spec.scheduling == Scheduling::Quality;
    result.exportsLoss = !view.job.spec.loss.from;
    const bool hasReported = !losses_.unusableOf(view.job.key).empty();
    result.problem =
        view.job.spec.loss.from && !hasReported ? kNothingFound : losses_.problemOf(view.job.key);
    result.hints = jobs::hintsOf(view.status);
    const auto chief = live_.failuresOf(view.job.key);
    if (chief.failures > 0 && view.status.state != JobState::Failed) {  // what failed tells of its failures
      result.restarts = chief.failures;
      result.lastFailure = chief.last;
    }
    result.losses.assign(record.samples().begin(), record.samples().end());
    if (const auto end = endOf(view)) result.times.back() = *end - view.job.created;
    result.failure = live_.failureOf(view.job.key);
    return result;
  }

  RunResult resultOf(bool stopped) const {
    RunResult result{.policy = snapshot_.policy, .jobs = {}, .interrupted = stopped};
    for (const auto& [key, view] : live_.views()) result.jobs.push_back(resultOf(view));
    for (const auto& [job, after] : experiment_.jobs) {
      if (!live_.views().contains(job.key) && live_.isStopped(job.key))
        result.jobs.push_back({.key = job.key, .isStopped = true});
    }
    std::ranges::sort(result.jobs, {}, &JobResult::key);
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
                            if (surroundings_.board) surroundings_.board->noteLoss(job, sample);
                          }};
  loop::EpochLoop loop_;
  machine::MachineWatch watch_{cluster_, losses_, loop_};
  jobs::RunSnapshot snapshot_;
  // The time of the first event that no epoch has seen, as MachineWatch notices them.
  std::optional<Seconds> event_;
  LiveJobs live_{cluster_, experiment_.logs};
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
