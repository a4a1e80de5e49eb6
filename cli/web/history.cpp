#include "cli/web/history.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "page/timeline.h"

namespace slaq::cli::web {
namespace {

using kube::objects::StoredJob;

using Field = std::optional<double> PastJob::*;

constexpr std::pair<const char*, Field> kFigures[] = {
    {"slaq_job_loss", &PastJob::loss},
    {"slaq_job_iterations", &PastJob::iterations},
    {"slaq_job_workers", &PastJob::workers},
    {"slaq_job_desired_workers", &PastJob::desiredWorkers},
    {"slaq_job_worker_cores", &PastJob::workerCores},
    {"slaq_job_held_cores", &PastJob::cores},
};

constexpr double kMostSteps = 0.5 * page::RunTimeline::kMostEpochs;  // the other half is for the time to come
constexpr double kFewestSteps = 12;                                  // even with very many jobs
constexpr double kMostValues = 300'000;  // of all jobs together: some tens of MB in Prometheus's format
constexpr double kMetrics = std::size(kFigures) + 1;  // of each job: these and its state
constexpr Seconds kShortestStep{1};

class Reading {
 public:
  Reading(cluster::PrometheusHistory& prometheus, const std::string& ns, const cluster::Range& range,
          const std::function<bool()>& goesOn)
      : prometheus_(prometheus), ns_(ns), range_(range), goesOn_(goesOn) {
    const auto steps = static_cast<std::size_t>((range.end - range.begin) / range.step);
    for (std::size_t i = 0; i <= steps; ++i)
      moments_.push_back({.time = range.begin + range.step * static_cast<double>(i)});
  }

  Result<void> read() {
    for (const auto& [metric, field] : kFigures) {
      const auto done =
          ofJobs(metric, [field](PastJob& job, const std::string&, double value) { job.*field = value; });
      if (!done) return done;
    }
    const auto states = ofJobs("slaq_job_state", [](PastJob& job, const std::string& state, double value) {
      if (value == 1) job.state = jobStateFrom(state);
    });
    if (!states) return states;
    const auto capacity = ofController("slaq_capacity_cores", &PastMoment::capacity);
    return capacity ? ofController("slaq_price_per_core", &PastMoment::price) : capacity;
  }

  // Returns the moments from the first one that has a job.
  std::vector<PastMoment> moments() && {
    const auto first = std::ranges::find_if(moments_, [](const auto& each) { return !each.jobs.empty(); });
    moments_.erase(moments_.begin(), first);
    return std::move(moments_);
  }

 private:
  template <class Take>
  Result<void> ofJobs(const std::string& metric, Take take) {
    if (!goesOn_()) return stopped();
    const auto curves = prometheus_.ofJobs(metric, ns_, range_);
    if (!curves) return failure(curves.error());
    for (const auto& curve : *curves) {
      for (const auto& point : curve.points) {
        PastMoment* const moment = momentAt(point);
        if (moment) take(moment->jobs[curve.job], curve.state, point.value);
      }
    }
    return {};
  }

  Result<void> ofController(const std::string& metric, std::optional<double> PastMoment::*field) {
    if (!goesOn_()) return stopped();
    const auto curve = prometheus_.ofController(metric, range_);
    if (!curve) return failure(curve.error());
    for (const auto& point : *curve) {
      if (PastMoment* const moment = momentAt(point)) moment->*field = point.value;
    }
    return {};
  }

  // Returns nullptr for a point without a finite value, or outside the range.
  PastMoment* momentAt(const terminal::CurvePoint& point) {
    const double step = std::round((point.time - range_.begin) / range_.step);
    const bool isAsked = step >= 0 && step < static_cast<double>(moments_.size());
    return isAsked && std::isfinite(point.value) ? &moments_[static_cast<std::size_t>(step)] : nullptr;
  }

  static tl::unexpected<Error> stopped() {
    return failure(ErrorKind::Transient, "it was not read to the end");
  }

  cluster::PrometheusHistory& prometheus_;
  const std::string& ns_;
  const cluster::Range& range_;
  const std::function<bool()>& goesOn_;
  std::vector<PastMoment> moments_;
};

Workers workersOf(std::optional<double> count) {
  constexpr double kMost = std::numeric_limits<std::int32_t>::max();
  return Workers(static_cast<std::int32_t>(std::clamp(count.value_or(0), 0.0, kMost)));
}

Cores coresOf(double count) {
  return Cores(std::llround(1000 * std::clamp(count, 0.0, inCores(kMostCores))));
}

// "starts with 4", "4 -> 8", "900m -> 1 each". The reason is not known any more.
std::string changeText(const std::optional<Decision>& before, const Decision& after) {
  const std::string workers = std::to_string(after.workers.value());
  if (!before) return "starts with " + workers;
  if (before->workers != after.workers) return std::to_string(before->workers.value()) + " -> " + workers;
  return toString(before->workerCpu.value_or(Cores())) + " -> " +
         toString(after.workerCpu.value_or(Cores())) + " each";
}

bool hasEnded(const StoredJob& job, Time time) {
  return job.status.completed && time >= *job.status.completed;
}

// Makes the sightings of one job, in the order of time.
class Told {
 public:
  // `now` is the existing job of that name, or nullptr.
  Told(const JobKey& key, const StoredJob* now) : key_(key), now_(now) {}

  // The decision at the `first` time was made before it, so it is no change.
  page::Sighting at(Time time, const PastJob& past, bool first) {
    isNow_ = now_ && time >= now_->job.created;
    if (!created_ || (isNow_ && *created_ != now_->job.created)) begin(isNow_ ? now_->job.created : time);
    if (isNow_ && hasEnded(*now_, time)) return sightingOf({}, now_->status);
    update(time, past, first);
    return sightingOf(past, status_);
  }

 private:
  void begin(Time created) {
    created_ = created;
    if (status_.progress) earlierIterations_ = status_.progress->iteration.value();
    status_ = {};
  }

  void update(Time time, const PastJob& past, bool first) {
    status_.state = past.state.value_or(JobState::Running);
    status_.ready = status_.replicas = workersOf(past.workers);
    status_.desired = workersOf(past.desiredWorkers);
    decide(time, past, first);
    if (!past.loss || isOfEarlierJob(past)) return;
    const double unknown = std::numeric_limits<double>::quiet_NaN();
    status_.progress = Progress{.iteration = Iterations(past.iterations.value_or(unknown)),
                                .loss = Loss(*past.loss),
                                .level = {},
                                .remaining = {},
                                .convergence = {}};
  }

  void decide(Time time, const PastJob& past, bool first) {
    Decision decision{.workers = status_.desired, .cores = {}, .reason = "", .since = time};
    if (isNow_ && now_->job.spec.workers.scaling == Scaling::CPU && past.workerCores)
      decision.workerCpu = coresOf(*past.workerCores);
    auto& before = status_.decision;
    const bool isSame =
        before && before->workers == decision.workers && before->workerCpu == decision.workerCpu;
    if (isSame || decision.workers == Workers(0)) return;
    if (!first)
      decision.reason = isStanding(decision) ? now_->status.decision->reason : changeText(before, decision);
    before = std::move(decision);
  }

  // True if the job's status still has this decision, with its reason.
  bool isStanding(const Decision& decision) const {
    const auto& standing = now_ ? now_->status.decision : std::nullopt;
    return isNow_ && standing && standing->workers == decision.workers &&
           standing->workerCpu == decision.workerCpu && decision.since >= standing->since;
  }

  // Until a new job's first loss is read, the newest sample of its name is the earlier job's.
  bool isOfEarlierJob(const PastJob& past) {
    if (earlierIterations_ && past.iterations && *past.iterations < *earlierIterations_)
      earlierIterations_.reset();
    return earlierIterations_.has_value();
  }

  page::Sighting sightingOf(const PastJob& past, const JobStatus& status) {
    most_ = std::max(most_, status.desired);
    return {.key = key_,
            .created = *created_,
            .mode = isNow_ ? now_->job.spec.loss.mode : LossMode::Minimize,
            .most = isNow_ ? now_->job.spec.workers.max : most_,
            .ready = status.ready,
            .cores = coresOf(past.cores.value_or(0)),
            .status = status};
  }

  JobKey key_;
  const StoredJob* now_;
  bool isNow_ = false;  // the sightings are about `now_`
  std::optional<Time> created_;
  std::optional<double> earlierIterations_;
  Workers most_;
  JobStatus status_;
};

const StoredJob* find(const std::vector<StoredJob>& jobs, const JobKey& key) {
  const auto found = std::ranges::lower_bound(jobs, key, {}, &StoredJob::key);
  return found == jobs.end() || found->key != key ? nullptr : &*found;
}

// Adds the jobs that are over: the controller exports them only for a short time.
std::map<JobKey, PastJob> withEnded(const PastMoment& moment, const std::vector<StoredJob>& now) {
  auto jobs = moment.jobs;
  for (const auto& each : now) {
    if (hasEnded(each, moment.time)) jobs.try_emplace(each.key);
  }
  return jobs;
}

}  // namespace

cluster::Range rangeOf(Time now, Seconds wanted, std::size_t jobs) {
  const double each = kMostValues / (kMetrics * static_cast<double>(std::max<std::size_t>(jobs, 1)));
  const Seconds step = std::max(kShortestStep, wanted / std::clamp(each, kFewestSteps, kMostSteps));
  return {.begin = now - wanted, .end = now - step, .step = step};
}

Result<std::vector<PastMoment>> historyOf(cluster::PrometheusHistory& prometheus, const std::string& ns,
                                          const cluster::Range& range, const std::function<bool()>& goesOn) {
  Reading reading(prometheus, ns, range, goesOn);
  const auto read = reading.read();
  if (!read) return failure(read.error());
  return std::move(reading).moments();
}

void tellHistory(const std::vector<PastMoment>& history, const std::vector<StoredJob>& now,
                 const std::function<void(const page::Moment&)>& add) {
  std::map<JobKey, Told> told;
  for (const auto& each : history) {
    page::Moment moment{.time = each.time, .capacity = {}, .price = each.price, .jobs = {}};
    if (each.capacity) moment.capacity = coresOf(*each.capacity);
    for (const auto& [key, past] : withEnded(each, now)) {
      const auto job = told.try_emplace(key, key, find(now, key)).first;
      moment.jobs.push_back(job->second.at(each.time, past, &each == &history.front()));
    }
    add(moment);
  }
}

}  // namespace slaq::cli::web
