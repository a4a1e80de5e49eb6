// Reads losses from Prometheus's HTTP API: raw samples of all jobs, and the histories of jobs that are new to
// this process. Each query is for a group of jobs by their names. Where one fails, the group is divided, so
// that a job that is the cause harms no other.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
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
  Seconds timeOfACall{
      2};  // after it a call begins no other group, except for one of those that failed before
};

class PrometheusSource final : public LossSource {
 public:
  // The clock outlives this.
  PrometheusSource(const PrometheusOptions& options, const Clock& clock);
  PrometheusSource(PrometheusOptions options, const Clock& clock, std::unique_ptr<http::HttpClient> client);

  // A job `waits` and gets no samples if it was not asked for or not answered, for its samples or its
  // history, so that its `since` stays. Groups that failed the last time come last, and among the others
  // those that were asked for longest ago come first. An error if two groups failed and none was answered.
  Result<LossReport> collect(const std::vector<LossRequest>& jobs, Time now) override;

 private:
  using Origin = SeriesMatching::Origin;
  struct Call;

  // Keeps what is known of these jobs, and counts the calls.
  void begin(const std::vector<LossRequest>& jobs);
  void divide(Call& call, const std::vector<LossRequest>& jobs) const;
  std::vector<Requests> groupsInTurn(const Call& call);
  void readSamples(Call& call, const Requests& group);
  void readHistories(Call& call, const Requests& group);
  // Calls `then` with each group that was answered: this one, or parts of it.
  template <typename Then>
  void read(Call& call, const Requests& group, Origin origin, const Then& then);
  void noteFailure(Call& call, const Requests& group, Origin origin, const Error& error);
  void countLargeJobs(Call& call, const std::vector<LossRequest>& jobs);
  void countSeries(Call& call, const LossRequest& job);
  Query queryOf(const Call& call, const Requests& group, Origin origin) const;
  Result<Matrix> ask(const Query& query);

  // What is known of a job and of the requests for it.
  struct Reading {
    std::string uid;
    GroupSize size;
    bool hasFailed = false;   // the last request for it
    std::uint64_t asked = 0;  // the number of the call that asked for it last, or the one before its first
    Time since;               // the start of the range that was read last
    std::optional<Time> until = {};      // its end
    std::optional<Time> counted = {};    // when its series were counted last
    std::optional<double> tooMany = {};  // the number of its series, if it is not read because of them

    bool needsHistory(const LossRequest& job, Time rawFrom) const;
    bool mayBeCounted(Time now) const;
  };

  const PrometheusOptions options_;
  const Clock& clock_;
  const std::unique_ptr<http::HttpClient> client_;
  std::map<JobKey, Reading> readings_;  // of the jobs of the last call
  std::uint64_t calls_ = 0;
};

}  // namespace slaq::prom
