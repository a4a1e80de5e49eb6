// Loss by the jobs' own PromQL. These sources stand before another one and take the jobs that bring queries;
// all others are its business.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "http/client.h"
#include "loop/ports.h"

namespace slaq {

struct QueryOptions {
  HttpEndpoint endpoint;
  std::string pathPrefix;                      // before /api/v1, such as "/prometheus"
  std::map<std::string, std::string> headers;  // a tenant's, such as X-Scope-OrgID
  Seconds step{1};                             // as often as Prometheus scrapes
  Seconds deadline{2};                         // for all requests of one epoch together
  std::size_t jobsOfOneEpoch = 20;             // the others have their turn in the next
  std::size_t mostBytes = 1u << 20;            // of one answer
};

// Where the administrator allows queries: one request a job, in turn.
class QuerySource final : public LossSource {
 public:
  QuerySource(QueryOptions options, std::unique_ptr<LossSource> others);
  QuerySource(QueryOptions options, std::unique_ptr<LossSource> others, std::unique_ptr<HttpClient> client);

  // A job whose turn it is not is missing from the report. Once the time is up, the rest waits for the next
  // epoch. Prometheus's silence is the problem of the job that was asked for.
  Result<LossReport> collect(const std::vector<LossRequest>& jobs, Time now) override;

 private:
  LossReport askInTurn(std::vector<LossRequest> jobs, Time now);
  Result<JobLoss> ask(const LossRequest& job, Time now);

  const QueryOptions options_;
  const std::unique_ptr<LossSource> others_;
  const std::unique_ptr<HttpClient> client_;
  JobKey last_;  // that was asked for
};

// Where they can't be asked: each such job is told why.
class QueryRefusal final : public LossSource {
 public:
  QueryRefusal(std::string why, std::unique_ptr<LossSource> others)
      : why_(std::move(why)), others_(std::move(others)) {}

  Result<LossReport> collect(const std::vector<LossRequest>& jobs, Time now) override;

 private:
  const std::string why_;
  const std::unique_ptr<LossSource> others_;
};

}  // namespace slaq
