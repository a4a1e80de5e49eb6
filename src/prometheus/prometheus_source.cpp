#include "prometheus/prometheus_source.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "job/validate.h"

namespace slaq::prom {

namespace {

// The size limit of an answer. A parsed answer takes twice as much memory.
constexpr std::size_t kBytesOfAnAnswer = 32u << 20;

// The series of a job are counted at most once in this time.
constexpr Seconds kCounted{60};

// A call asks for no more after this number of failures in a row: Prometheus is down or overloaded.
constexpr int kMostFailures = 2;

// True for a refusal, and for an answer that is too large: fewer jobs may be answered.
bool mayBeAnsweredInParts(const Error& error) {
  return error.kind == ErrorKind::Malformed || error.kind == ErrorKind::Invalid;
}

// Empty if both names of metrics are valid.
std::optional<std::string> problemOfNames(const LossRequest& job) {
  for (const auto& metric : {job.metric, job.iterationMetric}) {
    if (!isMetricName(metric)) return "'" + metric + "' is not a metric name";
  }
  return std::nullopt;
}

Seconds ageOfOldest(const Requests& jobs, Time now) {
  Time oldest = now;
  for (const auto* job : jobs) oldest = std::min(oldest, job->since);
  return now - oldest;
}

}  // namespace

// The jobs of one call of collect, and what came of them.
struct PrometheusSource::Call {
  const Clock& clock;
  Time now;
  Time rawFrom;  // no raw samples are read from before it
  Seconds end;   // on the monotonic clock
  LossReport report = {};
  Requests readable = {};                 // jobs that are asked for
  std::map<JobKey, JobLoss> unread = {};  // results of those that were not read
  std::optional<SeriesMatching> matching = {};
  bool isAnswered = false;          // any request was answered
  int failures = 0;                 // in a row
  std::optional<Error> error = {};  // the first one

  bool isLate() const { return clock.monotonic() >= end; }
  bool isGivenUp() const { return failures >= kMostFailures; }
  bool isOver() const { return isGivenUp() || (isAnswered && isLate()); }
  void letWait(const Requests& group) {
    for (const auto* job : group) unread[job->job] = {.waits = true};
  }
};

PrometheusSource::PrometheusSource(const PrometheusOptions& options, const Clock& clock)
    : PrometheusSource(options, clock, makeHttpClient(options.endpoint)) {}

PrometheusSource::PrometheusSource(PrometheusOptions options, const Clock& clock,
                                   std::unique_ptr<http::HttpClient> client)
    : options_(std::move(options)), clock_(clock), client_(std::move(client)) {}

Result<LossReport> PrometheusSource::collect(const std::vector<LossRequest>& jobs, Time now) {
  begin(jobs);
  Call call{clock_, now, now - options_.window - options_.scrapeInterval,
            clock_.monotonic() + options_.timeOfACall};
  divide(call, jobs);
  call.matching.emplace(call.readable, options_.labels);
  bool hasTriedFailed = false;
  for (const auto& group : groupsInTurn(call)) {
    const bool hasFailed = readings_[group.front()->job].hasFailed;
    const bool isTry = hasFailed && !hasTriedFailed && call.isAnswered && !call.isGivenUp();
    if (call.isOver() && !isTry) {
      call.letWait(group);
      continue;
    }
    hasTriedFailed |= hasFailed;
    readSamples(call, group);
  }
  if (!call.isAnswered && call.error) return failure(*call.error);
  countLargeJobs(call, jobs);
  for (const auto* job : call.readable) call.report[job->job] = call.matching->lossOf(*job);
  for (auto& [job, loss] : call.unread) call.report[job] = std::move(loss);
  return std::move(call.report);
}

void PrometheusSource::begin(const std::vector<LossRequest>& jobs) {
  std::map<JobKey, Reading> readings;
  for (const LossRequest& job : jobs) {
    auto& before = readings_[job.job];
    readings[job.job] = before.uid == job.uid ? std::move(before) : Reading{.uid = job.uid, .asked = calls_};
  }
  readings_ = std::move(readings);
  ++calls_;
}

void PrometheusSource::divide(Call& call, const std::vector<LossRequest>& jobs) const {
  for (const LossRequest& job : jobs) {
    if (auto problem = problemOfNames(job)) {
      call.report[job.job].problem = std::move(problem);
    } else if (const auto series = readings_.at(job.job).tooMany) {
      call.report[job.job].problem = tooManySeries(*series);
    } else {
      call.readable.push_back(&job);
    }
  }
}

std::vector<Requests> PrometheusSource::groupsInTurn(const Call& call) {
  std::vector<GroupMember> healthy;
  std::vector<GroupMember> failed;
  for (const auto* job : call.readable) {
    const Reading& reading = readings_[job->job];
    const Seconds age = call.now - std::max(job->since, call.rawFrom);
    (reading.hasFailed ? failed : healthy).push_back({job, age, reading.size.jobs()});
  }
  std::vector<Requests> all;
  for (const auto* members : {&healthy, &failed}) {
    auto groups = groupsOf(*members);
    std::ranges::stable_sort(groups, {}, [&](const Requests& group) {
      const auto asked = [&](const auto* job) { return readings_[job->job].asked; };
      return asked(*std::ranges::min_element(group, {}, asked));
    });
    std::ranges::move(groups, std::back_inserter(all));
  }
  return all;
}

template <typename Then>
void PrometheusSource::read(Call& call, const Requests& group, Origin origin, const Then& then) {
  const auto answer = ask(queryOf(call, group, origin));
  for (const auto* job : group) {
    Reading& reading = readings_[job->job];
    reading.asked = calls_;
    reading.hasFailed = !answer;
    if (answer) {
      reading.size.answered(call.now);
    } else {
      reading.size.failed(group.size(), call.now);
    }
  }
  if (answer) {
    call.isAnswered = true;
    call.failures = 0;
    call.matching->add(*answer, origin);
    return then(group);
  }
  if (!call.error) call.error = answer.error();
  if (group.size() == 1 || !mayBeAnsweredInParts(answer.error()))
    return noteFailure(call, group, origin, answer.error());
  if (call.isLate()) ++call.failures;
  for (const auto& part : partsOf(group, readings_[group.front()->job].size.jobs())) {
    if (call.isOver()) {
      call.letWait(part);
    } else {
      read(call, part, origin, then);
    }
  }
}

void PrometheusSource::noteFailure(Call& call, const Requests& group, Origin origin, const Error& error) {
  ++call.failures;
  const std::string what = origin == Origin::History ? "its history" : "its samples";
  for (const auto* job : group) call.unread[job->job] = {{}, what + " can't be read: " + error.message, true};
  if (group.size() == 1) countSeries(call, *group.front());
}

void PrometheusSource::readSamples(Call& call, const Requests& group) {
  read(call, group, Origin::Raw, [&](const Requests& answered) { readHistories(call, answered); });
}

// Whatever the time: else a job whose history is due would be read again and again for nothing.
void PrometheusSource::readHistories(Call& call, const Requests& group) {
  const auto isRead = [&](const Requests& jobs) {
    for (const auto* job : jobs) {
      readings_[job->job].since = job->since;
      readings_[job->job].until = call.now;
    }
  };
  Requests whole;
  std::vector<GroupMember> members;
  for (const auto* job : group) {
    const Reading& reading = readings_[job->job];
    if (reading.needsHistory(*job, call.rawFrom)) {
      members.push_back({job, call.now - job->since, reading.size.jobs()});
    } else {
      whole.push_back(job);
    }
  }
  isRead(whole);
  for (const auto& part : groupsOf(members)) {
    if (call.isGivenUp()) {
      call.letWait(part);
    } else {
      read(call, part, Origin::History, isRead);
    }
  }
}

bool PrometheusSource::Reading::needsHistory(const LossRequest& job, Time rawFrom) const {
  if (job.since >= rawFrom) return false;
  return !until || *until < rawFrom || job.since < since;  // the caller forgot what it knew
}

bool PrometheusSource::Reading::mayBeCounted(Time now) const {
  return !counted || now < *counted || now - *counted >= kCounted;  // wall time can be set back
}

// Jobs whose answer had too many series, and those that had too many before.
void PrometheusSource::countLargeJobs(Call& call, const std::vector<LossRequest>& jobs) {
  for (const LossRequest& job : jobs) {
    const bool mayBeLarge = call.matching->seriesOf(job.job) > kMostSeriesOfAJob;
    if ((mayBeLarge || readings_[job.job].tooMany) && !call.isOver()) countSeries(call, job);
  }
}

void PrometheusSource::countSeries(Call& call, const LossRequest& job) {
  Reading& reading = readings_[job.job];
  if (!reading.mayBeCounted(call.now)) return;
  reading.counted = call.now;
  const auto counts = ask(seriesCountQuery(job, options_.labels, call.now));
  if (!counts) return;
  call.isAnswered = true;
  const bool isEmpty = counts->series.empty() || counts->series.front().points.empty();
  const double count = isEmpty ? 0 : counts->series.front().points.back().value;
  reading.tooMany.reset();
  if (count <= double(kMostSeriesOfAJob)) return;
  reading.tooMany = count;
  reading.until.reset();  // its samples are not reported
  call.unread[job.job] = {{}, tooManySeries(count)};
}

Query PrometheusSource::queryOf(const Call& call, const Requests& group, Origin origin) const {
  if (origin == Origin::History) return historyQuery(group, options_.labels, call.rawFrom);
  const Seconds age = std::max(ageOfOldest(group, call.now), options_.scrapeInterval);
  return rawQuery(group, options_.labels, {call.now, std::min(call.now - call.rawFrom, age + Seconds(1))});
}

Result<Matrix> PrometheusSource::ask(const Query& query) {
  http::HttpRequest request{"POST",
                            options_.pathPrefix + query.path,
                            "application/x-www-form-urlencoded",
                            query.form,
                            options_.headers,
                            options_.deadline,
                            kBytesOfAnAnswer};
  auto response = client_->send(request);
  return response ? readAnswer(std::move(*response)) : failure(response.error());
}

}  // namespace slaq::prom
