#include "prometheus/prometheus_source.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "job/validate.h"

namespace slaq::prom {

namespace {

// The size limit of an answer. A parsed answer takes twice as much memory.
constexpr std::size_t kBytesOfAnAnswer = 32u << 20;

// If a group fails again after t seconds, the next try of any such group comes ten times t later.
constexpr double kPauseAfterTry = 10;

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
  bool isAnswered = false;  // any request was answered
  bool hasTried = false;    // a group that had failed before was asked for
  bool hasReadHistory = false;
  int failures = 0;                 // in a row
  std::optional<Error> error = {};  // the first one

  bool isLate() const { return clock.monotonic() >= end; }
  bool isGivenUp() const { return failures >= kMostFailures; }
  void succeed() {
    isAnswered = true;
    failures = 0;
  }
  void fail(const Error& why) {
    if (!error) error = why;
    ++failures;
  }
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
  readings_ = readingsOf(jobs, std::move(readings_), calls_++);
  Call call{clock_, now, now - options_.window - options_.scrapeInterval,
            clock_.monotonic() + options_.timeOfACall};
  divide(call, jobs);
  call.matching.emplace(call.readable, options_.labels);
  for (const auto& group : groupsInTurn(call.readable, readings_, now, call.rawFrom)) {
    const Reading& first = readings_[group.front()->job];
    const bool isTry = first.hasFailed;
    if (!mayAsk(call, isTry)) {
      call.letWait(group);
      continue;
    }
    const Seconds begun = clock_.monotonic();
    readSamples(call, group);
    call.hasTried |= isTry;
    if (isTry && first.hasFailed)
      triesAgain_ = clock_.monotonic() + kPauseAfterTry * (clock_.monotonic() - begun);
  }
  if (call.readable.size() == 1 && !call.isAnswered) countSeries(call, call.readable);
  if (!call.isAnswered && call.error) {
    // That Prometheus is down says nothing about a group.
    for (auto& [job, reading] : readings_) reading.hasFailed = false;
    return failure(*call.error);
  }
  countLargeJobs(call, jobs);
  for (const auto* job : call.readable) call.report[job->job] = call.matching->lossOf(*job);
  for (auto& [job, loss] : call.unread) call.report[job] = std::move(loss);
  return std::move(call.report);
}

bool PrometheusSource::mayAsk(const Call& call, bool hasFailed) const {
  if (call.isGivenUp()) return false;
  if (!call.isAnswered) return true;
  if (!hasFailed) return !call.isLate();
  return clock_.monotonic() >= triesAgain_ && !(call.isLate() && call.hasTried);
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
    call.succeed();
    call.matching->add(*answer, origin);
    return then(group);
  }
  for (const auto& part : partsOfFailed(call, group, origin, answer.error())) {
    if (call.isGivenUp()) {
      call.letWait(part);
    } else {
      read(call, part, origin, then);
    }
  }
}

std::vector<Requests> PrometheusSource::partsOfFailed(Call& call, const Requests& group, Origin origin,
                                                      const Error& error) {
  const bool mayDivide = mayBeAnsweredInParts(error);
  const bool mayGoOn = mayDivide && !call.isLate();
  if (!mayGoOn || group.size() == 1) call.fail(error);
  if (!call.error) call.error = error;
  if (call.isAnswered || mayDivide) countSeries(call, group);
  Requests rest;
  std::ranges::copy_if(group, std::back_inserter(rest),
                       [&](const auto* job) { return !readings_[job->job].tooMany; });
  const bool isExplained = rest.size() < group.size();
  if (isExplained) {
    for (const auto* job : rest) {
      readings_[job->job].size = {};
      readings_[job->job].hasFailed = false;
    }
  }
  if (mayGoOn && isExplained && !rest.empty()) return {rest};
  if (mayGoOn && !isExplained && group.size() > 1)
    return partsOf(rest, readings_[rest.front()->job].size.jobs());
  const std::string what = origin == Origin::History ? "its history" : "its samples";
  for (const auto* job : rest) call.unread[job->job] = {{}, what + " can't be read: " + error.message, true};
  return {};
}

void PrometheusSource::readSamples(Call& call, const Requests& group) {
  read(call, group, Origin::Raw, [&](const Requests& answered) { readHistories(call, answered); });
}

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
    // One in any case: else jobs whose histories are due would be read again and again for nothing.
    if (call.isGivenUp() || (call.isLate() && call.hasReadHistory)) {
      call.letWait(part);
    } else {
      read(call, part, Origin::History, isRead);
      call.hasReadHistory = true;
    }
  }
}

// Jobs whose answer had too many series, and those that had too many before.
void PrometheusSource::countLargeJobs(Call& call, const std::vector<LossRequest>& jobs) {
  Requests large;
  for (const LossRequest& job : jobs) {
    const bool mayBeLarge = call.matching->seriesOf(job.job) > kMostSeriesOfAJob;
    if (mayBeLarge || readings_[job.job].tooMany) large.push_back(&job);
  }
  for (const auto& part : partsOf(large, kMostJobsOfAGroup)) {
    if (!call.isGivenUp()) countSeries(call, part);
  }
}

void PrometheusSource::countSeries(Call& call, const Requests& jobs) {
  Requests due;
  std::ranges::copy_if(jobs, std::back_inserter(due),
                       [&](const auto* job) { return readings_[job->job].mayBeCounted(call.now); });
  if (due.empty()) return;
  for (const auto* job : due) readings_[job->job].counted = call.now;
  const auto counts = ask(seriesCountQuery(due, options_.labels, kMostSeriesOfAJob, call.now));
  if (!counts) return call.fail(counts.error());
  call.succeed();
  for (const auto* job : due) readings_[job->job].tooMany.reset();
  for (const Series& series : counts->series) {
    const JobKey job{std::string(labelOf(series, options_.labels.ns)),
                     std::string(labelOf(series, options_.labels.job))};
    const auto found = readings_.find(job);
    if (found == readings_.end() || series.points.empty()) continue;
    const double count = series.points.back().value;
    found->second.tooMany = count;
    found->second.hasFailed = false;
    found->second.until.reset();  // its samples are not reported
    call.unread[job] = {{}, tooManySeries(count)};
  }
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
