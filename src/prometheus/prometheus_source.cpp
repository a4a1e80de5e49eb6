#include "prometheus/prometheus_source.h"

#include <algorithm>
#include <deque>
#include <iterator>
#include <utility>

#include "base/clock.h"
#include "job/validate.h"

namespace slaq::prom {

namespace {

// The size limit of an answer. A parsed answer takes twice as much memory.
constexpr std::size_t kBytesOfAnAnswer = 32u << 20;

// The series of a job are counted at most once in this time. If they are too many, it is not asked for.
constexpr Seconds kCounted{60};

// A call asks for no more once this number of its requests failed before any was answered.
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

// The jobs of one call of collect, divided by what is read for them.
struct PrometheusSource::Call {
  Time now;
  Time rawFrom;  // no raw samples are read from before it
  Seconds end;   // after it, on the monotonic clock, no more groups are asked for
  LossReport report;
  Requests readable;                 // jobs that are asked for
  std::map<JobKey, JobLoss> unread;  // results of those that were not read
  std::optional<SeriesMatching> matching;
  bool isAnswered = false;     // any request was answered
  int failures = 0;            // requests that failed before that
  std::optional<Error> error;  // the first one

  bool isOver() const {
    return (!isAnswered && failures >= kMostFailures) || SystemClock().monotonic() >= end;
  }
  void fail(const Error& why) {
    if (!error) error = why;
    if (!isAnswered) ++failures;
  }
};

PrometheusSource::PrometheusSource(const PrometheusOptions& options)
    : PrometheusSource(options, makeHttpClient(options.endpoint)) {}

PrometheusSource::PrometheusSource(PrometheusOptions options, std::unique_ptr<http::HttpClient> client)
    : options_(std::move(options)), client_(std::move(client)) {}

Result<LossReport> PrometheusSource::collect(const std::vector<LossRequest>& jobs, Time now) {
  std::erase_if(counts_, [&](const auto& each) {
    const Time counted = each.second.time;
    return now < counted || now - counted >= kCounted;  // wall time can be set back
  });
  Call call{now, now - options_.window - options_.scrapeInterval,
            SystemClock().monotonic() + options_.timeOfACall};
  divide(call, jobs);
  if (call.readable.empty()) return std::move(call.report);
  call.matching.emplace(call.readable, options_.labels);
  readInTurn(call, Origin::Raw, call.readable);
  if (!call.isAnswered) return failure(*call.error);
  Requests withHistory;
  std::ranges::copy_if(call.readable, std::back_inserter(withHistory), [&](const auto* job) {
    return !call.unread.contains(job->job) && needsHistory(*job, call.rawFrom);
  });
  readInTurn(call, Origin::History, withHistory);
  for (const auto* job : call.readable) {
    if (call.matching->seriesOf(job->job) > kMostSeriesOfAJob) countSeries(call, *job);
  }
  remember(call);
  for (const auto* job : call.readable) call.report[job->job] = call.matching->lossOf(*job);
  for (auto& [job, loss] : call.unread) call.report[job] = std::move(loss);
  return std::move(call.report);
}

void PrometheusSource::divide(Call& call, const std::vector<LossRequest>& jobs) const {
  for (const LossRequest& job : jobs) {
    const auto count = counts_.find(job.job);
    if (auto problem = problemOfNames(job)) {
      call.report[job.job].problem = std::move(problem);
    } else if (count != counts_.end() && count->second.isTooLarge()) {
      call.report[job.job].problem = tooManySeries(count->second.series);
    } else {
      call.readable.push_back(&job);
    }
  }
}

// Asks for one group in any case, so that no job waits for ever.
void PrometheusSource::readInTurn(Call& call, Origin origin, const Requests& jobs) {
  auto groups = groupsOf(jobs, sizes_, call.now);
  const auto lastAsked = [&](const Requests& group) {
    Time last = Time::max();
    for (const auto* job : group) last = std::min(last, readings_[job->job].asked[origin]);
    return last;
  };
  std::ranges::stable_sort(groups, {}, lastAsked);
  std::deque<Requests> due(std::make_move_iterator(groups.begin()), std::make_move_iterator(groups.end()));
  for (bool isFirst = true; !due.empty(); isFirst = false) {
    const Requests group = std::move(due.front());
    due.pop_front();
    if (!isFirst && call.isOver()) {
      for (const auto* job : group) call.unread[job->job] = {.waits = true};
    } else {
      std::ranges::move(readGroup(call, group, origin), std::front_inserter(due));
    }
  }
}

std::vector<Requests> PrometheusSource::readGroup(Call& call, const Requests& group, Origin origin) {
  for (const auto* job : group) readings_[job->job].asked[origin] = call.now;
  const auto answer = ask(queryOf(call, group, origin));
  if (answer) {
    call.isAnswered = true;
    call.matching->add(*answer, origin);
    return {};
  }
  sizes_.failed(group, call.now);
  if (group.size() > 1 && mayBeAnsweredInParts(answer.error()))
    return partsOf(group, sizes_.of(group.front()->job, call.now));
  call.fail(answer.error());
  const std::string what = origin == Origin::History ? "its history" : "its samples";
  const std::string problem = what + " can't be read: " + answer.error().message;
  for (const auto* job : group) call.unread[job->job] = {{}, problem, true};
  if (group.size() == 1) countSeries(call, *group.front());
  return {};
}

bool PrometheusSource::Count::isTooLarge() const { return series > double(kMostSeriesOfAJob); }

void PrometheusSource::countSeries(Call& call, const LossRequest& job) {
  if (counts_.contains(job.job)) return;
  const auto counts = ask(seriesCountQuery(job, options_.labels, call.now));
  call.isAnswered |= counts.has_value();
  if (!call.isAnswered) return;  // Prometheus is down
  Count& count = counts_[job.job] = {call.now};
  if (counts && !counts->series.empty() && !counts->series.front().points.empty())
    count.series = counts->series.front().points.back().value;
  if (count.isTooLarge()) call.unread[job.job] = {{}, tooManySeries(count.series)};
}

Query PrometheusSource::queryOf(const Call& call, const Requests& group, Origin origin) const {
  if (origin == Origin::History) return historyQuery(group, options_.labels, call.rawFrom);
  const Seconds age = std::max(ageOfOldest(group, call.now), options_.scrapeInterval);
  return rawQuery(group, options_.labels, {call.now, std::min(call.now - call.rawFrom, age + Seconds(1))});
}

bool PrometheusSource::needsHistory(const LossRequest& job, Time rawFrom) const {
  if (job.since >= rawFrom) return false;
  const auto found = readings_.find(job.job);
  return found == readings_.end() || found->second.uid != job.uid || !found->second.until ||
         *found->second.until < rawFrom || job.since < found->second.since;  // the caller forgot what it knew
}

// Forgets jobs that were not asked for.
void PrometheusSource::remember(const Call& call) {
  std::map<JobKey, Reading> readings;
  for (const LossRequest* job : call.readable) {
    Reading& reading = readings[job->job] = std::move(readings_[job->job]);
    if (reading.uid != job->uid) reading.until.reset();
    reading.uid = job->uid;
    if (call.unread.contains(job->job)) continue;
    reading.since = job->since;
    reading.until = call.now;
  }
  readings_ = std::move(readings);
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
