#include "prometheus/query_source.h"

#include <algorithm>
#include <iterator>

#include "base/clock.h"
#include "prometheus/user_query.h"

namespace slaq::prom {
namespace {

bool hasQuery(const LossRequest& job) { return !job.query.empty(); }

std::vector<LossRequest> part(const std::vector<LossRequest>& jobs, bool withQuery) {
  std::vector<LossRequest> found;
  std::ranges::copy_if(jobs, std::back_inserter(found),
                       [&](const LossRequest& job) { return hasQuery(job) == withQuery; });
  return found;
}

std::unique_ptr<http::HttpClient> clientFor(const QueryOptions& options) {
  http::HttpEndpoint endpoint = options.endpoint;
  endpoint.maxBodyBytes = options.mostBytes;
  return makeHttpClient(endpoint);
}

std::string sentenceOf(const Error& error) {
  if (error.kind != ErrorKind::Malformed) return error.message;
  return "the answer to spec.loss.query can't be used (" + error.message +
         "); aggregate it, such as max(...)";
}

}  // namespace

QuerySource::QuerySource(const QueryOptions& options, std::unique_ptr<LossSource> others)
    : QuerySource(options, std::move(others), clientFor(options)) {}

QuerySource::QuerySource(QueryOptions options, std::unique_ptr<LossSource> others,
                         std::unique_ptr<http::HttpClient> client)
    : options_(std::move(options)), others_(std::move(others)), client_(std::move(client)) {}

Result<LossReport> QuerySource::collect(const std::vector<LossRequest>& jobs, Time now) {
  const auto without = part(jobs, false);
  auto report = others_->collect(without, now);
  if (!report) return report;
  auto turn = askInTurn(part(jobs, true), now);
  report->merge(turn);
  return report;
}

// All queries of an epoch share one deadline, so that a slow query delays no other job.
LossReport QuerySource::askInTurn(std::vector<LossRequest> jobs, Time now) {
  std::stable_partition(jobs.begin(), jobs.end(), [&](const LossRequest& job) { return job.job > last_; });
  if (jobs.size() > options_.jobsOfOneEpoch) jobs.resize(options_.jobsOfOneEpoch);
  LossReport report;
  const SystemClock clock;
  const Seconds end = clock.monotonic() + options_.deadline;
  for (const LossRequest& job : jobs) {
    if (clock.monotonic() >= end) break;
    last_ = job.job;
    auto loss = ask(job, now);
    const bool isSilence = !loss && loss.error().kind == ErrorKind::Transient;
    report[job.job] = loss ? std::move(*loss) : JobLoss{{}, sentenceOf(loss.error()), isSilence};
    if (isSilence) break;
  }
  return report;
}

Result<JobLoss> QuerySource::ask(const LossRequest& job, Time now) {
  const Query query = userQuery(job, now, options_.step);
  auto response =
      client_->send({"POST", options_.pathPrefix + query.path, "application/x-www-form-urlencoded",
                     query.form + "&timeout=" + toDecimal(options_.deadline.count()) + "s", options_.headers,
                     options_.deadline});
  if (!response) return failure(response.error());
  const bool refused = response->status == 400 || response->status == 422;
  auto matrix = refused ? readMatrix(std::move(response->body)) : readAnswer(std::move(*response));
  if (matrix) return readUserQuery(*matrix, job);
  if (!refused || matrix.error().kind != ErrorKind::Invalid) return failure(matrix.error());
  return JobLoss{{}, explainRefusal(matrix.error().message, job)};
}

Result<LossReport> QueryRefusal::collect(const std::vector<LossRequest>& jobs, Time now) {
  auto report = others_->collect(part(jobs, false), now);
  if (!report) return report;
  for (const LossRequest& job : part(jobs, true)) (*report)[job.job].problem = why_;
  return report;
}

}  // namespace slaq::prom
