// Reads losses from Prometheus's HTTP API: raw samples of all jobs, and the histories of jobs that are new to
// this process. Each query names a group of jobs. If a query fails, jobs with too many series are looked for
// and left out. If there are none, the group is divided. So a job that makes queries fail harms no other job.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "http/client.h"
#include "ports/loss_source.h"
#include "prometheus/matching.h"
#include "prometheus/matrix.h"
#include "prometheus/queries.h"
#include "prometheus/readings.h"

namespace slaq::prom {

struct PrometheusOptions {
  http::HttpEndpoint endpoint;
  std::string pathPrefix;                      // before /api/v1, such as "/prometheus"
  std::map<std::string, std::string> headers;  // a tenant's, such as X-Scope-OrgID
  SeriesLabels labels;
  // How far back raw samples are read; older samples come as history.
  Seconds window{60};
  Seconds scrapeInterval{15};
  Seconds deadline{10};  // for each request
  // After it a call begins no other group, except for one of those that failed before.
  Seconds timeOfACall{2};
};

class PrometheusSource final : public LossSource {
 public:
  // The clock outlives this.
  PrometheusSource(const PrometheusOptions& options, const Clock& clock);
  PrometheusSource(PrometheusOptions options, const Clock& clock, std::unique_ptr<http::HttpClient> client);

  // A job `waits` and gets no samples if it was not asked for or not answered, for its samples or its
  // history, so that its `since` stays. Groups that failed the last time come last, and are tried for less
  // than a tenth of the time. Among the others those that were asked for longest ago come first. An error if
  // no request was answered; if there are several groups, two requests failed by then.
  Result<LossReport> collect(const std::vector<LossRequest>& jobs, Time now) override;

 private:
  using Origin = SeriesMatching::Origin;
  struct Call;

  void divide(Call& call, const std::vector<LossRequest>& jobs) const;
  bool mayAsk(const Call& call, bool hasFailed) const;
  void readSamples(Call& call, const Requests& group);
  void readHistories(Call& call, const Requests& group);
  // Calls `then` with each group that was answered: this one, or parts of it.
  template <typename Then>
  void read(Call& call, const Requests& group, Origin origin, const Then& then);
  // After a failure: groups that may be answered now. All others of the group are noted as unread.
  std::vector<Requests> partsOfFailed(Call& call, const Requests& group, Origin origin, const Error& error);
  void countLargeJobs(Call& call, const std::vector<LossRequest>& jobs);
  // Finds jobs with too many series. Jobs whose series were counted less than a minute ago are skipped.
  void countSeries(Call& call, const Requests& jobs);
  Query queryOf(const Call& call, const Requests& group, Origin origin) const;
  Result<Matrix> ask(const Query& query);

  const PrometheusOptions options_;
  const Clock& clock_;
  const std::unique_ptr<http::HttpClient> client_;
  Readings readings_;        // of the jobs of the last call
  std::uint64_t calls_ = 0;  // of collect
  Seconds triesAgain_{0};    // no group that failed is tried before it, on the monotonic clock
};

}  // namespace slaq::prom
