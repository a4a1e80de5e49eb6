// Reads losses from Prometheus's HTTP API: raw samples of all jobs, and the histories of jobs that are new to
// this process. Each query is for a group of jobs by their names. Where one fails, the group is divided, so
// that a job that is the cause harms no other.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "http/client.h"
#include "ports/loss_source.h"
#include "prometheus/matching.h"
#include "prometheus/matrix.h"
#include "prometheus/queries.h"
#include "prometheus/query_groups.h"

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
  // After this time a call asks for no more groups, except for a first one of samples and of histories.
  Seconds timeOfACall{2};
};

class PrometheusSource final : public LossSource {
 public:
  explicit PrometheusSource(const PrometheusOptions& options);
  PrometheusSource(PrometheusOptions options, std::unique_ptr<http::HttpClient> client);

  // A job `waits` and gets no samples if it was not asked for or not answered, for its samples or its
  // history, so that its `since` stays. The groups that were asked for longest ago come first.
  Result<LossReport> collect(const std::vector<LossRequest>& jobs, Time now) override;

 private:
  using Origin = SeriesMatching::Origin;
  struct Call;

  void divide(Call& call, const std::vector<LossRequest>& jobs) const;
  void readInTurn(Call& call, Origin origin, const Requests& jobs);
  // Returns groups that are to be asked for instead.
  std::vector<Requests> readGroup(Call& call, const Requests& group, Origin origin);
  void countSeries(Call& call, const LossRequest& job);
  Query queryOf(const Call& call, const Requests& group, Origin origin) const;
  Result<Matrix> ask(const Query& query);
  bool needsHistory(const LossRequest& job, Time rawFrom) const;
  void remember(const Call& call);

  const PrometheusOptions options_;
  const std::unique_ptr<http::HttpClient> client_;
  GroupSizes sizes_;
  // The requests for a job so far.
  struct Reading {
    std::string uid;
    std::map<Origin, Time> asked;  // the last time, with whatever result
    Time since;                    // the start of the range that was read last
    std::optional<Time> until;     // its end
  };
  std::map<JobKey, Reading> readings_;
  // The last number of series of a job that failed alone, or seemed to have too many.
  struct Count {
    Time time;
    double series = 0;  // 0 if it is not known

    bool isTooLarge() const;
  };
  std::map<JobKey, Count> counts_;
};

}  // namespace slaq::prom
