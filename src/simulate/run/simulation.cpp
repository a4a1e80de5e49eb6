#include "simulate/run/simulation.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "loop/epoch_runner.h"
#include "simulate/input/duration.h"
#include "simulate/run/predictor_by_job.h"
#include "simulate/run/virtual_cluster.h"

namespace slaq::simulate {
namespace {

using Entry = VirtualCluster::Entry;

// After this many epochs, or pauses of resizes, without any work, the jobs count as standing still for good.
constexpr double kStandstill = 1000;

Spread spreadOf(std::vector<double> values) {
  std::ranges::sort(values);
  const double sum = std::accumulate(values.begin(), values.end(), 0.0);
  return {sum / static_cast<double>(values.size()), quantile(values, 0.95)};
}

// The spread over the jobs that have the figure; empty where no job has it.
template <class Figure>
std::optional<Spread> spreadOver(const std::vector<JobOutcome>& jobs, Figure figure) {
  std::vector<double> values;
  for (const auto& job : jobs) {
    const std::optional<Seconds> value = figure(job);
    if (value) values.push_back(value->count());
  }
  if (values.empty()) return std::nullopt;
  return spreadOf(std::move(values));
}

JobOutcome outcomeOf(const Entry& job) {
  return {.name = job.spec->name,
          .arrival = job.spec->arrival,
          .reductions = job.progression.reductions(),
          .completion = job.progression.completion().value_or(Seconds(0)),
          .lossIntegralSeconds =
              job.progression.falls() ? std::optional(job.progression.integral()) : std::nullopt,
          .resizes = job.training.resizes()};
}

// The shares of cores by rank of normalized loss, highest first.
void divideByLoss(std::vector<const Entry*> jobs, EpochMoment& moment) {
  std::ranges::stable_sort(jobs, [](const Entry* a, const Entry* b) {
    return a->progression.normalized() > b->progression.normalized();
  });
  const std::size_t n = jobs.size();
  for (std::size_t i = 0; i < n && moment.cores > 0; ++i) {
    double& share = 4 * i < n ? moment.highest : 2 * i < n ? moment.middle : moment.lowest;
    share += static_cast<double>(jobs[i]->training.workers().value()) / moment.cores;
  }
}

EpochMoment momentOf(const VirtualCluster& cluster) {
  EpochMoment moment{.time = cluster.elapsed()};
  std::vector<const Entry*> active;
  std::size_t falling = 0;
  for (const auto& job : cluster.jobs()) {
    if (job.training.over()) ++moment.completed;
    if (!cluster.isActive(job)) continue;
    active.push_back(&job);
    falling += job.progression.falls() ? 1 : 0;
    moment.averageNormalizedLoss += job.progression.normalized();
    moment.cores += job.training.workers().value();
  }
  moment.active = active.size();
  if (falling > 0) moment.averageNormalizedLoss /= static_cast<double>(falling);
  divideByLoss(std::move(active), moment);
  return moment;
}

Seconds longestPauseIn(const Workload& workload) {
  Seconds longest{0};
  for (const auto& job : workload.jobs) {
    longest = std::max({longest, job.pauses.grow, job.pauses.shrink, job.pauses.release, job.start});
  }
  return longest;
}

std::optional<Seconds> earlier(std::optional<Seconds> a, std::optional<Seconds> b) {
  return a && b ? std::min(*a, *b) : a ? a : b;
}

class Simulation : private loop::EpochHost {
 public:
  Simulation(const Workload& workload, SimulationOptions options)
      : longestPause_(longestPauseIn(workload)),
        options_(withLimitsOf(workload, std::move(options))),
        cluster_(workload, options_.timed),
        loop_(
            cluster_, cluster_, cluster_, options_.settings,
            [this](const loop::EpochReport& report) { learn(report); },
            futureSourceFor(*options_.settings.policy),
            std::make_unique<PredictorByJob>(options_.settings.predictor, options_.constants, workload)) {}

  Result<Outcome> run() {
    if (const auto done = runner_.run(); !done) return failure(done.error());
    return outcome();
  }

 private:
  static SimulationOptions withLimitsOf(const Workload& workload, SimulationOptions options) {
    options.settings.capacity = workload.cores;
    options.settings.epoch = workload.epoch;
    return options;
  }

  scheduler::FutureSource futureSourceFor(const scheduler::Policy& policy) {
    if (!policy.needsKnownFuture()) return {};
    return [this](const JobKey& key) { return cluster_.futureOf(key); };
  }

  Seconds now() const override { return cluster_.elapsed(); }

  bool isOver() const override {
    return std::ranges::all_of(cluster_.jobs(), [](const Entry& job) { return job.training.over(); });
  }

  bool anyActive() const {
    return std::ranges::any_of(cluster_.jobs(), [&](const Entry& job) { return cluster_.isActive(job); });
  }

  Result<void> runEpoch() override {
    if (auto done = loop_.run(); !done) return done;
    if (standsStill()) return failure(ErrorKind::Invalid, whyStill());
    if (static_cast<double>(epochs_) >= options_.mostEpochs && !isOver())
      return failure(ErrorKind::Invalid, whyNotOver());
    return {};
  }

  std::optional<Seconds> pendingEvent() override {
    const auto event = nextEvent();
    const loop::EpochTimer& timer = runner_.timer();
    return timer.decidesOnEvents() ? earlier(event, cluster_.nextEnd(timer.next(event))) : event;
  }

  bool waitUntil(Seconds then) override {
    const bool still = !anyActive();
    cluster_.passUntil(then);
    if (still) stillSince_ = cluster_.elapsed();
    return false;
  }

  // Does not include the ends of jobs, which are only found by training ahead.
  std::optional<Seconds> nextEvent() const {
    const auto release = loop_.waitsForCores() ? cluster_.nextRelease() : std::nullopt;
    return earlier(cluster_.nextArrival(), release);
  }

  // Skips the time in which no job is active.
  void afterEpoch(loop::EpochTimer& timer) override {
    const auto arrival = cluster_.nextArrival();
    if (arrival && !anyActive()) timer.passOver(*arrival);
  }

  void learn(const loop::EpochReport& report) {
    const EpochMoment moment = momentOf(cluster_);
    const bool early = cluster_.elapsed() < runner_.timer().regular();
    if (moment.active > 0 && !early) {
      lossSum_ += moment.averageNormalizedLoss;
      ++epochs_;
    }
    if (moment.active > 0 && options_.timed) {
      outcome_.decisionMicroseconds.push_back(report.deciding.count() * 1e6);
    }
    if (options_.watch) options_.watch(moment);
    if (options_.tell) options_.tell(moment.time, report);
  }

  bool standsStill() {
    double work = 0;
    for (const auto& job : cluster_.jobs()) work += job.training.coreSeconds();
    if (work > work_) stillSince_ = cluster_.elapsed();
    work_ = work;
    return cluster_.elapsed() - stillSince_ > kStandstill * std::max(options_.settings.epoch, longestPause_);
  }

  std::string whyStill() const {
    return "no job has moved since second " + toDecimal(stillSince_.count(), 12) +
           ": none has workers, or each is resized again before the pause of its last resize is over";
  }

  std::string whyNotOver() const {
    const auto left =
        std::ranges::count_if(cluster_.jobs(), [](const Entry& job) { return !job.training.over(); });
    return std::to_string(left) + " of " + std::to_string(cluster_.jobs().size()) +
           " jobs are not over at second " + toDecimal(cluster_.elapsed().count(), 12) + ", after " +
           toDecimal(options_.mostEpochs, 12) + " epochs: no more are simulated";
  }

  Outcome outcome() {
    for (const auto& entry : cluster_.jobs()) {
      const JobOutcome& job = outcome_.jobs.emplace_back(outcomeOf(entry));
      outcome_.makespanSeconds = std::max(outcome_.makespanSeconds, (job.arrival + job.completion).count());
      outcome_.resizes += job.resizes;
    }
    outcome_.averageNormalizedLoss = epochs_ > 0 ? lossSum_ / static_cast<double>(epochs_) : 0;
    const auto integrals = spreadOver(outcome_.jobs, [](const JobOutcome& job) {
      const auto& integral = job.lossIntegralSeconds;
      return integral ? std::optional(Seconds(*integral)) : std::nullopt;
    });
    if (integrals) outcome_.meanLossIntegralSeconds = integrals->mean;
    for (std::size_t i = 0; i < kReductions.size(); ++i) {
      outcome_.secondsToReduction[i] =
          spreadOver(outcome_.jobs, [i](const JobOutcome& job) { return job.reductions[i]; });
    }
    outcome_.completionSeconds =
        *spreadOver(outcome_.jobs, [](const JobOutcome& job) { return std::optional(job.completion); });
    return std::move(outcome_);
  }

  Seconds longestPause_;
  SimulationOptions options_;
  VirtualCluster cluster_;
  loop::EpochLoop loop_;
  loop::EpochRunner runner_{options_.settings, *this};
  Outcome outcome_;
  double lossSum_ = 0;
  std::size_t epochs_ = 0;  // regular epochs with active jobs
  double work_ = 0;         // core-seconds of all jobs
  Seconds stillSince_{0};
};

}  // namespace

double quantile(std::span<const double> ascending, double share) {
  const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(ascending.size())));
  return ascending[std::max<std::size_t>(rank, 1) - 1];
}

Result<Outcome> runSimulation(const Workload& workload, SimulationOptions options) {
  if (const auto why = whyTooLong(workload, options.mostEpochs)) return failure(ErrorKind::Invalid, *why);
  return Simulation(workload, std::move(options)).run();
}

}  // namespace slaq::simulate
