#include "cli/report/past_jobs.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <numeric>
#include <utility>

#include "job/target_kind.h"
#include "scheduler/policy/resize_price.h"

namespace slaq::cli::report {
namespace {

using kube::objects::StoredJob;

constexpr std::size_t kFewestSamples = 3;
// The number of steps of a trace. A step is an iteration, unless there are many more or fewer of these.
constexpr double kFewestSteps = 200;
constexpr double kMostSteps = 20'000;
constexpr std::int64_t kMostUnits = 100'000;  // of one job
constexpr std::int64_t kSmallestUnit = 50;    // millicores

// One time at which a job ran.
struct Sample {
  Time time;
  double iteration = 0;
  double loss = 0;
  double workers = 0;
  bool isAfterGap = false;  // it did not run all the time since the sample before
};

struct PastRun {
  JobKey key;
  const StoredJob* job = nullptr;  // where it still exists
  Cores worker;                    // of each
  std::vector<Sample> samples;     // with rising iterations
  bool isInGap = false;            // while the history is read
};

const StoredJob* find(const std::vector<StoredJob>& jobs, const JobKey& key) {
  const auto found = std::ranges::find(jobs, key, &StoredJob::key);
  return found == jobs.end() ? nullptr : &*found;
}

void addSample(PastRun& run, Time time, const web::PastJob& past) {
  const bool hasRun = past.workers && *past.workers >= 1;
  if (!hasRun) run.isInGap = true;
  // Once its target is gone, the cores of its workers are not known any more.
  if (past.workerCores && *past.workerCores > 0)
    run.worker = Cores(kSmallestUnit * std::llround(1000 * *past.workerCores / kSmallestUnit));
  if (!hasRun || !past.loss || !past.iterations) return;
  if (!run.samples.empty() && *past.iterations <= run.samples.back().iteration) return;
  run.samples.push_back(
      {time, *past.iterations, *past.loss, *past.workers, std::exchange(run.isInGap, false)});
}

// The samples of each job, from the creation of the one that exists now. A job that went back to a checkpoint
// counts again once it is further than before.
std::vector<PastRun> runsOf(const std::vector<web::PastMoment>& history, const std::vector<StoredJob>& now) {
  std::map<JobKey, PastRun> runs;
  for (const auto& moment : history) {
    for (const auto& [key, past] : moment.jobs) {
      const auto [entry, isNew] = runs.try_emplace(key);
      PastRun& run = entry->second;
      if (isNew) run.key = key;
      if (isNew) run.job = find(now, key);
      const bool isEarlier = run.job && moment.time < run.job->job.created;
      if (!isEarlier) addSample(run, moment.time, past);
    }
  }
  std::vector<PastRun> all;
  for (auto& [key, run] : runs) all.push_back(std::move(run));
  return all;
}

// Iterations a second with each number of workers that the job had, by that number.
std::map<int, double> speedsOf(const PastRun& run) {
  std::map<int, std::pair<double, double>> sums;  // iterations and seconds
  for (std::size_t i = 1; i < run.samples.size(); ++i) {
    const Sample& from = run.samples[i - 1];
    const Sample& to = run.samples[i];
    if (from.workers != to.workers || to.isAfterGap) continue;
    auto& [iterations, seconds] = sums[static_cast<int>(std::lround(to.workers))];
    iterations += to.iteration - from.iteration;
    seconds += (to.time - from.time).count();
  }
  std::map<int, double> speeds;
  for (const auto& [workers, sum] : sums) speeds[workers] = sum.first / sum.second;
  return speeds;
}

// Adds the sizes that the job did not have. The status may be wrong about all of them by the same factor,
// which follows from the sizes that the job had.
void addEstimates(std::map<int, double>& speeds, const JobStatus& status) {
  std::map<int, double> estimates;
  for (const auto& each : status.speeds) estimates[each.workers.value()] = 1 / each.iteration.count();
  double sum = 0, count = 0;
  for (const auto& [workers, speed] : speeds) {
    const auto known = estimates.find(workers);
    if (known == estimates.end()) continue;
    sum += std::log(speed / known->second);
    ++count;
  }
  if (count == 0) return;
  for (const auto& [workers, speed] : estimates) speeds.try_emplace(workers, speed * std::exp(sum / count));
}

double meanWorkers(const PastRun& run) {
  double sum = 0, seconds = 0;
  for (std::size_t i = 1; i < run.samples.size(); ++i) {
    if (run.samples[i].isAfterGap) continue;
    const double time = (run.samples[i].time - run.samples[i - 1].time).count();
    sum += time * run.samples[i].workers;
    seconds += time;
  }
  return sum / seconds;
}

// The losses of its iterations, each of which stands for `step` of them.
std::shared_ptr<const simulate::Trace> traceOf(const PastRun& run, double step, LossMode mode) {
  simulate::Trace trace;
  std::size_t next = 1;
  const double first = run.samples.front().iteration;
  const auto steps = std::llround((run.samples.back().iteration - first) / step);
  for (std::int64_t i = 0; i <= steps; ++i) {
    const double at = first + step * static_cast<double>(i);
    while (next + 1 < run.samples.size() && run.samples[next].iteration < at) ++next;
    const Sample& from = run.samples[next - 1];
    const Sample& to = run.samples[next];
    const double part = (at - from.iteration) / (to.iteration - from.iteration);
    trace.losses.push_back(from.loss + std::clamp(part, 0.0, 1.0) * (to.loss - from.loss));
  }
  return std::make_shared<const simulate::Trace>(oriented(mode, std::move(trace)));
}

std::int32_t unitsOf(Cores worker, double workers, Cores unit) {
  return static_cast<std::int32_t>(std::llround(worker.value() * workers / unit.value()));
}

class Builder {
 public:
  Builder(Cores unit, Time begin) : unit_(unit), begin_(begin) {}

  // The run with the sizes that it may have.
  simulate::SimulatedJob jobOf(const PastRun& run, std::size_t place) const {
    const LossMode mode = run.job ? run.job->job.spec.loss.mode : LossMode::Minimize;
    const double iterations = run.samples.back().iteration - run.samples.front().iteration;
    const double step = iterations / std::clamp(iterations, kFewestSteps, kMostSteps);
    simulate::SimulatedJob job;
    job.name = "job-" + std::to_string(1'000'000 + place);  // so that names are in the order of their places
    job.arrival = run.samples.front().time - begin_;
    job.mode = LossMode::Minimize;  // the trace is turned
    job.trace = traceOf(run, step, mode);
    job.scaling = scalingOf(run, step);
    job.pauses.grow = scheduler::ResizePrice().grow;
    job.pauses.shrink = scheduler::ResizePrice().shrink;
    if (run.job) {
      if (const auto& cost = run.job->status.resizeCost) {
        job.pauses.grow = cost->grow.value_or(job.pauses.grow);
        job.pauses.shrink = cost->shrink.value_or(job.pauses.shrink);
      }
      job.kind = run.job->job.kind;
      job.weight = run.job->job.spec.weight;
      job.value = run.job->job.spec.value;
      job.convergence = run.job->job.spec.loss.convergence;
    }
    for (const Workers size : allSizes(run))
      job.sizes.push_back(Workers(unitsOf(run.worker, size.value(), unit_)));
    job.least = job.sizes.front();
    job.most = job.sizes.back();
    return job;
  }

  // The same run with the size that it had in the mean.
  simulate::SimulatedJob fixed(const PastRun& run, simulate::SimulatedJob job) const {
    job.least = job.most = Workers(std::max(1, unitsOf(run.worker, meanWorkers(run), unit_)));
    job.sizes.clear();
    return job;
  }

 private:
  static WorkersSpec boundsOf(const PastRun& run) {
    if (run.job && !hasFixedSize(run.job->job.spec.workers)) return run.job->job.spec.workers;
    WorkersSpec bounds;
    bounds.min = bounds.max = Workers(static_cast<std::int32_t>(std::lround(run.samples.back().workers)));
    return bounds;
  }

  // The sizes that it may have and that the simulation can count, and its least one.
  std::vector<Workers> allSizes(const PastRun& run) const {
    const WorkersSpec bounds = boundsOf(run);
    const auto countable = static_cast<std::int32_t>(kMostUnits * unit_.value() / run.worker.value());
    const Workers most = std::min(bounds.max, Workers(countable));
    if (bounds.sizes.empty()) {
      std::vector<Workers> sizes = {bounds.min};
      while (sizes.back() < most) sizes.push_back(sizes.back() + Workers(1));
      return sizes;
    }
    std::vector<Workers> sizes = {bounds.sizes.front()};
    for (const Workers size : bounds.sizes) {
      if (size > sizes.back() && size <= most) sizes.push_back(size);
    }
    return sizes;
  }

  std::shared_ptr<const simulate::Scaling> scalingOf(const PastRun& run, double step) const {
    std::map<int, double> speeds = speedsOf(run);
    if (run.job) addEstimates(speeds, run.job->status);
    simulate::Scaling scaling;
    const auto add = [&](double workers, double speed) {
      scaling.speeds.push_back({workers * run.worker.value() / unit_.value(), speed / step});
    };
    for (const auto& [workers, speed] : speeds) add(workers, speed);
    const int most = boundsOf(run).max.value();
    const auto& [largest, speed] = *speeds.rbegin();
    if (most > largest) add(most, speed * most / largest);
    return std::make_shared<const simulate::Scaling>(std::move(scaling));
  }

  Cores unit_;
  Time begin_;
};

// Why the run says too little; empty if it can be simulated.
std::string whyLeft(const PastRun& run) {
  if (run.samples.size() < kFewestSamples) return "fewer than three losses are known";
  if (run.worker < Cores(kSmallestUnit)) return "its workers have less than 50m, or it is not known";
  if (speedsOf(run).empty()) return "its size changed all the time";
  if (run.job && run.job->job.spec.workers.scaling == Scaling::CPU) return "it is sized by its CPU";
  return {};
}

Cores unitFor(const std::vector<PastRun>& runs) {
  std::int64_t unit = 0;
  for (const auto& run : runs) unit = std::gcd(unit, run.worker.value());
  return Cores(std::max(kSmallestUnit, unit));
}

// The most cores that the runs held at once. If these are all jobs, the capacity that the controller had.
Cores capacityOf(const std::vector<web::PastMoment>& history, const std::vector<PastRun>& runs, bool areAll) {
  double most = 0;
  for (const auto& moment : history) {
    double held = 0;
    for (const auto& run : runs) {
      const auto past = moment.jobs.find(run.key);
      if (past != moment.jobs.end()) held += past->second.workers.value_or(0) * inCores(run.worker);
    }
    most = std::max({most, held, areAll ? moment.capacity.value_or(0) : 0});
  }
  return Cores(std::llround(1000 * most));
}

}  // namespace

Result<PastJobs> pastJobs(const std::vector<web::PastMoment>& history, const std::vector<StoredJob>& now,
                          bool areAll) {
  PastJobs past;
  std::vector<PastRun> runs;
  for (auto& run : runsOf(history, now)) {
    const std::string why = whyLeft(run);
    if (!why.empty()) past.left.push_back(toString(run.key) + ": " + why);
    if (why.empty()) runs.push_back(std::move(run));
  }
  if (runs.empty()) {
    const std::string why = past.left.empty() ? "" : " (" + past.left.front() + ")";
    return failure(ErrorKind::Invalid, "no job has a history of losses in this time" + why);
  }
  past.unit = unitFor(runs);
  const Time begin = std::ranges::min(runs, {}, [](const PastRun& run) { return run.samples.front().time; })
                         .samples.front()
                         .time;
  const Builder builder(past.unit, begin);
  for (const auto& run : runs) {
    past.keys.push_back(run.key);
    past.workers.push_back(meanWorkers(run));
    past.asTheyMay.jobs.push_back(builder.jobOf(run, past.keys.size()));
    past.asTheyWere.jobs.push_back(builder.fixed(run, past.asTheyMay.jobs.back()));
    if (speedsOf(run).size() == 1) past.ofOneSize.push_back(toString(run.key));
  }
  past.capacity = capacityOf(history, runs, areAll);
  for (auto* workload : {&past.asTheyWere, &past.asTheyMay}) {
    workload->cores = Cores(1000 * (past.capacity.value() / past.unit.value()));
    workload->endReleases = true;
  }
  // The mean sizes need not fit together where the sizes did. No job waits that did not.
  Cores sum;
  for (const auto& job : past.asTheyWere.jobs) sum += Cores(1000) * job.most.value();
  past.asTheyWere.cores = std::max(past.asTheyWere.cores, sum);
  return past;
}

}  // namespace slaq::cli::report
