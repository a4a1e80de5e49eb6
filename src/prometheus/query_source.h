// Reads losses by the jobs' own PromQL. These sources wrap another one: they handle the jobs with queries and
// pass all other jobs on to it.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "http/client.h"
#include "ports/loss_source.h"

namespace slaq::prom {

struct QueryOptions {
  http::HttpEndpoint endpoint;
  std::string pathPrefix;                      // before /api/v1, such as "/prometheus"
  std::map<std::string, std::string> headers;  // a tenant's, such as X-Scope-OrgID
  Seconds step{1};                             // as often as Prometheus scrapes
  Seconds deadline{2};                         // for all requests of one epoch together
  std::size_t jobsOfOneEpoch = 20;             // the others follow in the next epochs
  std::size_t mostBytes = 1u << 20;            // of one answer
};

// Used if the administrator allows queries: one request for each job, in turn.
class QuerySource final : public LossSource {
 public:
  QuerySource(const QueryOptions& options, std::unique_ptr<LossSource> others);
  QuerySource(QueryOptions options, std::unique_ptr<LossSource> others,
              std::unique_ptr<http::HttpClient> client);

  // The report has only the jobs whose turn it is. Once the time is up, the rest waits for the next epoch. A
  // time-out of Prometheus is reported as the problem of the job that was asked for.
  Result<LossReport> collect(const std::vector<LossRequest>& jobs, Time now) override;

 private:
  LossReport askInTurn(std::vector<LossRequest> jobs, Time now);
  Result<JobLoss> ask(const LossRequest& job, Time now);

  const QueryOptions options_;
  const std::unique_ptr<LossSource> others_;
  const std::unique_ptr<http::HttpClient> client_;
  JobKey last_;  // the last job that was asked for
};

// Used if the administrator forbids queries: each job with one gets the reason as its problem.
class QueryRefusal final : public LossSource {
 public:
  QueryRefusal(std::string why, std::unique_ptr<LossSource> others)
      : why_(std::move(why)), others_(std::move(others)) {}

  Result<LossReport> collect(const std::vector<LossRequest>& jobs, Time now) override;

 private:
  const std::string why_;
  const std::unique_ptr<LossSource> others_;
};

}  // namespace slaq::prom
