#include "prometheus/prometheus_source.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "job/validate.h"
#include "prometheus/matching.h"

namespace slaq::prom {

namespace {

// A job whose newest sample came within so many scrapes before the last reading is read with all others.
constexpr double kRecentScrapes = 3;

// Of jobs that are asked for apart, or whose history is, the others wait for the next epoch. After a restart
// all want theirs at once.
constexpr std::size_t kGroupsOfOneEpoch = 8;

// How many samples of each metric one answer for all jobs may bring: some six megabytes.
constexpr double kSamplesOfAnAnswer = 100'000;

// How long it is believed who has too many series, and how often it is asked.
constexpr Seconds kCrowdsKept{60};

// What the answer for so many jobs may be: some hundred samples of many pods for each.
constexpr std::size_t kBytesOfAnAnswer = 16u << 20;
constexpr std::size_t kBytesOfAJob = 512u << 10;

using Requests = std::vector<const LossRequest*>;

// Groups that one query can ask for.
void addGroups(std::vector<Requests>& groups, const Requests& jobs) {
  for (std::size_t first = 0; first < jobs.size(); first += kJobsOfOneQuery) {
    const std::size_t last = std::min(first + kJobsOfOneQuery, jobs.size());
    groups.emplace_back(jobs.begin() + static_cast<std::ptrdiff_t>(first),
                        jobs.begin() + static_cast<std::ptrdiff_t>(last));
  }
}

// Where there are more than one epoch asks for, those come first that the last one left.
template <class Groups>
void beginWithOthers(Groups& groups, std::size_t& turn) {
  if (groups.size() <= kGroupsOfOneEpoch) return;
  turn = (turn + kGroupsOfOneEpoch) % groups.size();
  std::ranges::rotate(groups, groups.begin() + static_cast<std::ptrdiff_t>(turn));
}

// Those in namespaces of crowds, by namespace, and all others.
struct Divided {
  Divided(const Requests& jobs, const Crowds& crowds) {
    for (const auto* job : jobs)
      (crowds.namespaces().contains(job->job.ns) ? crowded[job->job.ns] : others).push_back(job);
  }

  Requests others;
  std::map<std::string, Requests> crowded;
};

}  // namespace

// The jobs of one call of collect, divided by what is read for them.
struct PrometheusSource::Batch {
  std::vector<const LossRequest*> readable;  // metric names that can be asked for
  std::vector<const LossRequest*> history;   // those that need it, of the readable
  std::map<JobKey, JobLoss> unread;          // what to tell those that were not read this time
  LossReport report;
  std::optional<SeriesMatching> matching;
  bool isAnswered = false;  // the request for most jobs
};

PrometheusSource::PrometheusSource(const PrometheusOptions& options)
    : PrometheusSource(options, makeHttpClient(options.endpoint)) {}

PrometheusSource::PrometheusSource(PrometheusOptions options, std::unique_ptr<http::HttpClient> client)
    : options_(std::move(options)), client_(std::move(client)) {}

Result<LossReport> PrometheusSource::collect(const std::vector<LossRequest>& jobs, Time now) {
  const bool mayLook = !looked_ || now - *looked_ >= kCrowdsKept;
  if (!crowds_.empty() && mayLook) lookForCrowds(jobs, now);
  failed_ = false;
  auto report = read(jobs, now);
  if (failed_ && crowds_.empty() && mayLook && lookForCrowds(jobs, now)) report = read(jobs, now);
  return report;
}

// Whether somebody has too many series who was not known for it. Where nobody can say, what was known stays.
bool PrometheusSource::lookForCrowds(const std::vector<LossRequest>& jobs, Time now) {
  looked_ = now;
  Requests readable;
  for (const LossRequest& job : jobs) {
    if (isMetricName(job.metric) && isMetricName(job.iterationMetric)) readable.push_back(&job);
  }
  auto counts = ask(seriesCountQuery(readable, options_.labels, kMostSeriesOfAJob, now), readable.size());
  return counts && crowds_.update(*counts, options_.labels);
}

Result<LossReport> PrometheusSource::read(const std::vector<LossRequest>& jobs, Time now) {
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
  if (batch.readable.empty()) return std::move(batch.report);

  batch.matching.emplace(batch.readable, options_.labels);
  if (auto read = readRaw(batch, now); !read) return failure(read.error());
  readHistory(batch, now - furthest);
  remember(batch, now);
  for (const LossRequest* job : batch.readable) {
    const auto unread = batch.unread.find(job->job);
    batch.report[job->job] =
        unread == batch.unread.end() ? batch.matching->lossOf(*job) : std::move(unread->second);
  }
  return std::move(batch.report);
}

// Jobs that were silent for long are asked for apart: what is read of all others is only what came since. So
// are those that have shown nothing yet, since a third of an answer is what only they need, and the
// neighbours of crowds. Many silent jobs are asked for with all others where that answer is small.
Result<void> PrometheusSource::readRaw(Batch& batch, Time now) {
  const Divided divided(batch.readable, crowds_);
  const Time recent = read_.value_or(now) - kRecentScrapes * options_.scrapeInterval;
  Requests current;
  Requests fresh;
  Requests silent;
  for (const auto* job : divided.others)
    (job->since < recent ? silent : job->wantsInitial ? fresh : current).push_back(job);
  if (current.empty() || fresh.size() > kJobsOfOneQuery)
    std::ranges::move(std::exchange(fresh, {}), std::back_inserter(current));
  const double scrapes = reachOf(divided.others, now) / options_.scrapeInterval;
  const bool isSmall = scrapes * static_cast<double>(divided.others.size()) <= kSamplesOfAnAnswer;
  if (isSmall && (current.empty() || silent.size() > kJobsOfOneQuery)) {
    current = divided.others;
    fresh.clear();
    silent.clear();
  }
  if (!current.empty()) {
    auto raw = ask(rawQuery(current, options_.labels, {now, reachOf(current, now), crowds_.namespaces()}),
                   current.size());
    if (!raw) return failure(raw.error());
    batch.matching->add(*raw, SeriesMatching::Origin::Raw);
    batch.isAnswered = true;
  }
  std::vector<Requests> groups;
  addGroups(groups, fresh);
  addGroups(groups, silent);
  for (const auto& [ns, jobs] : divided.crowded) addGroups(groups, jobs);
  return readRawApart(batch, std::move(groups), now);
}

// What fails for a group harms no other, unless nothing was answered before: then the source is down.
Result<void> PrometheusSource::readRawApart(Batch& batch, std::vector<Requests> groups, Time now) {
  beginWithOthers(groups, turn_);
  for (std::size_t n = 0; n < groups.size(); ++n) {
    JobLoss unread{{}, "other jobs are asked for first", true};
    if (n < kGroupsOfOneEpoch) {
      auto raw =
          ask(rawQueryOf(groups[n], options_.labels, {now, reachOf(groups[n], now)}), groups[n].size());
      if (raw) {
        batch.matching->add(*raw, SeriesMatching::Origin::Raw);
        continue;
      }
      if (n == 0 && !batch.isAnswered) return failure(raw.error());
      unread = {{}, "its samples can't be read: " + raw.error().message};
    }
    for (const auto* job : groups[n]) batch.unread[job->job] = unread;
  }
  return {};
}

Seconds PrometheusSource::reachOf(const std::vector<const LossRequest*>& jobs, Time now) const {
  Time oldest = now - options_.scrapeInterval;
  for (const auto* job : jobs) oldest = std::min(oldest, job->since);
  return std::min(options_.window + options_.scrapeInterval, now - oldest + Seconds(1));
}

bool PrometheusSource::needsHistory(const LossRequest& job, Time rawFrom) const {
  if (job.since >= rawFrom) return false;
  const auto found = covered_.find(job.job);
  return found == covered_.end() || found->second.uid != job.uid || found->second.until < rawFrom ||
         job.since < found->second.since;  // whoever asks forgot what it had been told
}

void PrometheusSource::readHistory(Batch& batch, Time end) {
  std::erase_if(batch.history, [&](const auto* job) { return batch.unread.contains(job->job); });
  const Divided divided(batch.history, crowds_);
  auto queries = historyQueries(divided.others, options_.labels, end);
  for (const auto& [ns, jobs] : divided.crowded) {
    for (auto& query : historyQueries(jobs, options_.labels, end)) queries.push_back(std::move(query));
  }
  beginWithOthers(queries, historyTurn_);
  for (std::size_t n = 0; n < queries.size(); ++n) {
    const auto& [query, jobs] = queries[n];
    JobLoss unread{{}, "its history is not read yet", true};
    if (n < kGroupsOfOneEpoch) {
      auto history = ask(query, jobs.size());
      if (history) {
        batch.matching->add(*history, SeriesMatching::Origin::History);
        continue;
      }
      unread = {{}, "its history can't be read: " + history.error().message};
    }
    for (const LossRequest* job : jobs) batch.unread[job->job] = unread;
  }
}

void PrometheusSource::remember(const Batch& batch, Time now) {
  std::map<JobKey, Covered> covered;
  for (const LossRequest* job : batch.readable) {
    const auto before = covered_.find(job->job);
    const bool same = before != covered_.end() && before->second.uid == job->uid;
    if (!batch.unread.contains(job->job)) {
      covered[job->job] = {job->uid, same ? std::min(before->second.since, job->since) : job->since, now};
    } else if (same) {
      covered.insert(*before);
    }
  }
  covered_ = std::move(covered);
  read_ = now;
}

Result<Matrix> PrometheusSource::ask(const Query& query, std::size_t jobs) {
  http::HttpRequest request{"POST",
                            options_.pathPrefix + query.path,
                            "application/x-www-form-urlencoded",
                            query.form,
                            options_.headers,
                            options_.deadline,
                            kBytesOfAnAnswer + jobs * kBytesOfAJob};
  auto response = client_->send(request);
  auto matrix = response ? readAnswer(std::move(*response)) : failure(response.error());
  const bool isForbidden =
      !matrix && (matrix.error().kind == ErrorKind::Forbidden || matrix.error().kind == ErrorKind::NotFound);
  if (!matrix && !isForbidden) failed_ = true;
  return matrix;
}

}  // namespace slaq::prom
