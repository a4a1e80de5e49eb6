#include "prometheus/prometheus_source.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/clock.h"
#include "job/validate.h"

namespace slaq::prom {

namespace {

// One call asks for at most this number of groups of each sort, and the other jobs wait for the next call.
// After a restart all groups are due at once.
constexpr std::size_t kGroupsOfOneCall = 8;

// The jobs with too many series are looked for at most once in this time.
constexpr Seconds kCrowdsKept{60};

// If the answer for most jobs was too large once, or came too late twice, these jobs are asked for in groups
// for kKeptApart. Where no group is answered either, groups are not tried again for kTriedAgain, because an
// epoch waits for them.
constexpr Seconds kKeptApart{60};
constexpr Seconds kTriedAgain{20};
constexpr int kMostFailures = 2;

// The size limit of an answer: a fixed part, and some kilobytes for each of all jobs, or some hundred samples
// of many pods for each job of a group. A parsed answer takes twice as much memory.
constexpr std::size_t kBytesOfAnAnswer = 16u << 20;
constexpr std::size_t kBytesOfAJob = 4u << 10;
constexpr std::size_t kBytesOfAJobOfAGroup = 128u << 10;

bool isForbidden(const Error& error) {
  return error.kind == ErrorKind::Forbidden || error.kind == ErrorKind::NotFound;
}

// False if `then` lies in the future: wall time may be set back.
bool isWithin(const std::optional<Time>& then, Time now, Seconds time) {
  return then && now >= *then && now - *then < time;
}

}  // namespace

// The jobs of one call of collect, divided by what is read for them.
struct PrometheusSource::Batch {
  Requests readable;                 // jobs with metric names that can be asked for
  Requests history;                  // readable jobs that need their history
  std::map<JobKey, JobLoss> unread;  // results of jobs that were not read this time
  LossReport report;
  std::optional<SeriesMatching> matching;
  Seconds end{};               // after it, on the monotonic clock, no more groups are asked for
  bool isAnswered = false;     // any query was answered
  std::optional<Error> error;  // the first error of a group
};

PrometheusSource::PrometheusSource(const PrometheusOptions& options)
    : PrometheusSource(options, makeHttpClient(options.endpoint)) {}

PrometheusSource::PrometheusSource(PrometheusOptions options, std::unique_ptr<http::HttpClient> client)
    : options_(std::move(options)), client_(std::move(client)) {}

Result<LossReport> PrometheusSource::collect(const std::vector<LossRequest>& jobs, Time now) {
  const bool mayLook = !isWithin(looked_, now, kCrowdsKept);
  const Seconds end = SystemClock().monotonic() + options_.deadline;
  if (!crowds_.empty() && mayLook) lookForCrowds(jobs, now);
  mayBeCrowd_ = false;
  togetherFailed_.reset();
  if (!isWithin(apart_, now, kKeptApart)) apart_.reset();
  auto batch = read(jobs, now, end);
  if (mayBeCrowd_ && crowds_.empty() && mayLook && lookForCrowds(jobs, now)) batch = read(jobs, now, end);
  if (!batch && togetherFailed_ && !isWithin(triedApart_, now, kTriedAgain))
    batch = readApart(jobs, now, end);
  if (!batch) return failure(batch.error());
  if (batch->isAnswered) remember(*batch, now);
  return reportOf(std::move(*batch));
}

Result<PrometheusSource::Batch> PrometheusSource::readApart(const std::vector<LossRequest>& jobs, Time now,
                                                            Seconds end) {
  apart_ = now;
  auto batch = read(jobs, now, end);
  const bool isOften = ++failures_ >= kMostFailures || togetherFailed_ == ErrorKind::Malformed;
  if (!batch) {  // neither form of query is answered
    triedApart_ = now;
    failures_ = 0;
  }
  if (!batch || !isOften) apart_.reset();
  return batch;
}

// True if a job has too many series and was not known for it. Without an answer, the known jobs stay.
bool PrometheusSource::lookForCrowds(const std::vector<LossRequest>& jobs, Time now) {
  looked_ = now;
  Requests readable;
  for (const LossRequest& job : jobs) {
    if (isMetricName(job.metric) && isMetricName(job.iterationMetric)) readable.push_back(&job);
  }
  auto counts = ask(seriesCountQuery(readable, options_.labels, kMostSeriesOfAJob, now), kBytesOfAnAnswer);
  return counts && crowds_.update(*counts, options_.labels);
}

Result<PrometheusSource::Batch> PrometheusSource::read(const std::vector<LossRequest>& jobs, Time now,
                                                       Seconds end) {
  const Seconds furthest = options_.window + options_.scrapeInterval;
  Batch batch;
  for (const LossRequest& job : jobs) {
    if (!isMetricName(job.metric) || !isMetricName(job.iterationMetric)) {
      batch.report[job.job].problem =
          "'" + (isMetricName(job.metric) ? job.iterationMetric : job.metric) + "' is not a metric name";
      continue;
    }
    if (crowds_.contains(job.job)) {
      batch.report[job.job].problem = crowds_.problemOf(job.job);
      continue;
    }
    batch.readable.push_back(&job);
    if (needsHistory(job, now - furthest)) batch.history.push_back(&job);
  }
  if (batch.readable.empty()) return batch;

  batch.matching.emplace(batch.readable, options_.labels);
  batch.end = end;
  const ReadingTimes times{now, read_.value_or(now), options_.scrapeInterval, furthest};
  if (auto read = readRaw(batch, times); !read) return failure(read.error());
  readHistory(batch, now - furthest);
  if (batch.matching->hasMoreSeriesThan(kMostSeriesOfAJob)) mayBeCrowd_ = true;
  return batch;
}

LossReport PrometheusSource::reportOf(Batch batch) {
  for (const LossRequest* job : batch.readable) {
    const auto unread = batch.unread.find(job->job);
    batch.report[job->job] =
        unread == batch.unread.end() ? batch.matching->lossOf(*job) : std::move(unread->second);
  }
  return std::move(batch.report);
}

// A group that fails harms no other. An error if the query for most jobs fails, or if all queries do.
Result<void> PrometheusSource::readRaw(Batch& batch, const ReadingTimes& times) {
  const ReadingPlan plan = planOf(batch.readable, crowds_, times);
  if (!plan.together.empty() && !apart_) {
    const RawRange range{times.now, times.reachOf(plan.together), crowds_.namespaces()};
    auto raw = ask(rawQuery(plan.together, options_.labels, range),
                   kBytesOfAnAnswer + plan.together.size() * kBytesOfAJob);
    if (!raw) {
      if (!isForbidden(raw.error())) togetherFailed_ = raw.error().kind;
      return failure(raw.error());
    }
    failures_ = 0;
    batch.matching->add(*raw, SeriesMatching::Origin::Raw);
    batch.isAnswered = true;
  }
  const auto queryOf = [&](const Requests& group) {
    return GroupQuery{rawQueryOf(group, options_.labels, {times.now, times.reachOf(group)}), group};
  };
  const auto queriesOf = [&](const std::vector<Requests>& groups) {
    std::vector<GroupQuery> queries;
    std::ranges::transform(groups, std::back_inserter(queries), queryOf);
    return queries;
  };
  if (apart_ && !plan.together.empty()) {
    askInTurn(batch, queriesOf(groupsOf(plan.together)), apartTurn_, SeriesMatching::Origin::Raw);
    if (!batch.isAnswered) return failure(*batch.error);
  }
  if (!plan.fresh.empty()) readGroup(batch, queryOf(plan.fresh), SeriesMatching::Origin::Raw);
  askInTurn(batch, queriesOf(plan.crowded), crowdedTurn_, SeriesMatching::Origin::Raw);
  askInTurn(batch, queriesOf(plan.starting), startingTurn_, SeriesMatching::Origin::Raw);
  askInTurn(batch, queriesOf(plan.silent), silentTurn_, SeriesMatching::Origin::Raw);
  if (!batch.isAnswered) return failure(*batch.error);
  return {};
}

void PrometheusSource::readHistory(Batch& batch, Time end) {
  std::erase_if(batch.history, [&](const auto* job) { return batch.unread.contains(job->job); });
  const Divided divided(batch.history, crowds_);
  auto queries = historyQueries(divided.others, options_.labels, end);
  for (const auto& [ns, jobs] : divided.crowded)
    std::ranges::move(historyQueries(jobs, options_.labels, end), std::back_inserter(queries));
  askInTurn(batch, std::move(queries), historyTurn_, SeriesMatching::Origin::History);
}

// Begins with the groups that the last call left. Asks for at least one, so that no job waits for ever.
void PrometheusSource::askInTurn(Batch& batch, std::vector<GroupQuery> groups, std::size_t& turn,
                                 SeriesMatching::Origin origin) {
  if (groups.empty()) return;
  std::ranges::rotate(groups, groups.begin() + static_cast<std::ptrdiff_t>(turn % groups.size()));
  std::size_t asked = 0;
  for (const auto& group : groups) {
    if (asked > 0 && (asked == kGroupsOfOneCall || SystemClock().monotonic() >= batch.end)) {
      for (const auto* job : group.jobs) batch.unread[job->job] = {.waits = true};
      continue;
    }
    ++asked;
    readGroup(batch, group, origin);
  }
  turn += asked;
}

void PrometheusSource::readGroup(Batch& batch, const GroupQuery& group, SeriesMatching::Origin origin) {
  auto answer = ask(group.query, kBytesOfAnAnswer + group.jobs.size() * kBytesOfAJobOfAGroup);
  if (answer) {
    batch.matching->add(*answer, origin);
    batch.isAnswered = true;
    return;
  }
  const std::string what = origin == SeriesMatching::Origin::History ? "its history" : "its samples";
  const JobLoss unread{{}, what + " can't be read: " + answer.error().message, true};
  for (const auto* job : group.jobs) batch.unread[job->job] = unread;
  if (!batch.error) batch.error = answer.error();
}

bool PrometheusSource::needsHistory(const LossRequest& job, Time rawFrom) const {
  if (job.since >= rawFrom) return false;
  const auto found = covered_.find(job.job);
  return found == covered_.end() || found->second.uid != job.uid || found->second.until < rawFrom ||
         job.since < found->second.since;  // the caller forgot what it had been told
}

void PrometheusSource::remember(const Batch& batch, Time now) {
  std::map<JobKey, Covered> covered;
  for (const LossRequest* job : batch.readable) {
    const auto before = covered_.find(job->job);
    const bool same = before != covered_.end() && before->second.uid == job->uid;
    if (!batch.unread.contains(job->job)) {
      covered[job->job] = {job->uid, job->since, now};
    } else if (same) {
      covered.insert(*before);
    }
  }
  covered_ = std::move(covered);
  read_ = now;
}

Result<Matrix> PrometheusSource::ask(const Query& query, std::size_t mostBytes) {
  http::HttpRequest request{"POST",
                            options_.pathPrefix + query.path,
                            "application/x-www-form-urlencoded",
                            query.form,
                            options_.headers,
                            options_.deadline,
                            mostBytes};
  auto response = client_->send(request);
  auto matrix = response ? readAnswer(std::move(*response)) : failure(response.error());
  if (!matrix && !isForbidden(matrix.error())) mayBeCrowd_ = true;
  return matrix;
}

}  // namespace slaq::prom
