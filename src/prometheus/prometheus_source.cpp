#include "prometheus/prometheus_source.h"

#include <algorithm>
#include <set>
#include <utility>

#include "job/validate.h"
#include "prometheus/matching.h"

namespace slaq::prom {

namespace {

// After a restart all jobs want their history at once; an epoch waits for this many requests at most.
constexpr std::size_t kHistoryRequestsOfOneEpoch = 4;

// A job whose newest sample came within so many scrapes is read with all others.
constexpr double kRecentScrapes = 3;

}  // namespace

// The jobs of one call of collect, divided by what is read for them.
struct PrometheusSource::Batch {
  std::vector<const LossRequest*> readable;  // metric names that can be asked for
  std::vector<const LossRequest*> history;   // those that need it, of the readable
  std::map<JobKey, std::string> waiting;     // history not read this time, and why
  LossReport report;
  std::optional<SeriesMatching> matching;
};

PrometheusSource::PrometheusSource(const PrometheusOptions& options)
    : PrometheusSource(options, makeHttpClient(options.endpoint)) {}

PrometheusSource::PrometheusSource(PrometheusOptions options, std::unique_ptr<http::HttpClient> client)
    : options_(std::move(options)), client_(std::move(client)) {}

Result<LossReport> PrometheusSource::collect(const std::vector<LossRequest>& jobs, Time now) {
  const Seconds furthest = options_.window + options_.scrapeInterval;
  Batch batch;
  for (const LossRequest& job : jobs) {
    if (!isMetricName(job.metric) || !isMetricName(job.iterationMetric)) {
      batch.report[job.job].problem =
          "'" + (isMetricName(job.metric) ? job.iterationMetric : job.metric) + "' is not a metric name";
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
    const auto waits = batch.waiting.find(job->job);
    batch.report[job->job] =
        waits == batch.waiting.end() ? batch.matching->lossOf(*job) : JobLoss{{}, waits->second};
  }
  return std::move(batch.report);
}

// Jobs that were silent for long are asked for apart: what is read of all others is only what came since.
Result<void> PrometheusSource::readRaw(Batch& batch, Time now) {
  const Time recent = now - kRecentScrapes * options_.scrapeInterval;
  std::vector<const LossRequest*> current;
  std::vector<const LossRequest*> silent;
  for (const auto* job : batch.readable) (job->since >= recent ? current : silent).push_back(job);
  if (current.empty() || silent.size() > kJobsOfOneQuery) {
    current = batch.readable;
    silent.clear();
  }
  auto raw = ask(rawQuery(current, options_.labels, reachOf(current, now), now));
  if (!raw) return failure(raw.error());
  batch.matching->add(*raw, SeriesMatching::Origin::Raw);
  if (silent.empty()) return {};
  auto late = ask(rawQueryOf(silent, options_.labels, reachOf(silent, now), now));
  if (late) {
    batch.matching->add(*late, SeriesMatching::Origin::Raw);
    return {};
  }
  for (const auto* job : silent)
    batch.waiting[job->job] = "its samples can't be read: " + late.error().message;
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
  std::size_t made = 0;
  for (const auto& [query, jobs] : historyQueries(batch.history, options_.labels, end)) {
    std::string why = "its history is not read yet";
    if (made++ < kHistoryRequestsOfOneEpoch) {
      auto history = ask(query);
      if (history) {
        batch.matching->add(*history, SeriesMatching::Origin::History);
        continue;
      }
      why = "its history can't be read: " + history.error().message;
    }
    for (const LossRequest* job : jobs) batch.waiting[job->job] = why;
  }
}

void PrometheusSource::remember(const Batch& batch, Time now) {
  std::map<JobKey, Covered> covered;
  for (const LossRequest* job : batch.readable) {
    if (batch.waiting.contains(job->job)) continue;
    const auto before = covered_.find(job->job);
    const bool same = before != covered_.end() && before->second.uid == job->uid;
    covered[job->job] = {job->uid, same ? std::min(before->second.since, job->since) : job->since, now};
  }
  covered_ = std::move(covered);
}

Result<Matrix> PrometheusSource::ask(const Query& query) {
  http::HttpRequest request{"POST",
                            options_.pathPrefix + query.path,
                            "application/x-www-form-urlencoded",
                            query.form,
                            options_.headers,
                            options_.deadline};
  auto response = client_->send(request);
  if (!response) return failure(response.error());
  return readAnswer(std::move(*response));
}

}  // namespace slaq::prom
