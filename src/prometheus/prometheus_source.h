// Loss from Prometheus's HTTP API: one batched request of raw samples for all jobs, and history for those
// of which this process knows nothing yet.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "http/client.h"
#include "loop/ports.h"
#include "prometheus/matrix.h"
#include "prometheus/queries.h"

namespace slaq {

struct PrometheusOptions {
  HttpEndpoint endpoint;
  std::string pathPrefix;                      // before /api/v1, such as "/prometheus"
  std::map<std::string, std::string> headers;  // a tenant's, such as X-Scope-OrgID
  SeriesLabels labels;
  // Raw samples are read back so far; what is older comes as history.
  Seconds window{60};
  Seconds scrapeInterval{15};
  Seconds deadline{10};  // for each request
};

class PrometheusSource final : public LossSource {
 public:
  explicit PrometheusSource(PrometheusOptions options);
  PrometheusSource(PrometheusOptions options, std::unique_ptr<HttpClient> client);

  // Jobs whose history is not read yet get no samples, so that their `since` stays; a few requests of
  // history are made each time.
  Result<LossReport> collect(const std::vector<LossRequest>& jobs, Time now) override;

 private:
  struct Batch;

  Result<Matrix> ask(const Query& query);
  bool needsHistory(const LossRequest& job, Time rawFrom) const;
  void readHistory(Batch& batch, Time end);
  void remember(const Batch& batch, Time now);

  const PrometheusOptions options_;
  const std::unique_ptr<HttpClient> client_;
  // Until when each job's samples were read, by this process.
  struct Covered {
    std::string uid;
    Time since;  // what was read for it begins here
    Time until;
  };
  std::map<JobKey, Covered> covered_;
};

}  // namespace slaq
