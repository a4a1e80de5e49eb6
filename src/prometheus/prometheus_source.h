// Reads losses from Prometheus's HTTP API. One batched request reads the raw samples of all jobs. Other
// requests read jobs that were silent for long, and the history of jobs that are new to this process; an
// epoch makes only a few of these. Jobs with far too many series are left out. Where the batched request has
// too large an answer, or fails again and again, all jobs are asked for by their names for a while, some in
// each epoch.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "http/client.h"
#include "ports/loss_source.h"
#include "prometheus/crowds.h"
#include "prometheus/matching.h"
#include "prometheus/matrix.h"
#include "prometheus/queries.h"
#include "prometheus/reading_plan.h"

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
};

class PrometheusSource final : public LossSource {
 public:
  explicit PrometheusSource(const PrometheusOptions& options);
  PrometheusSource(PrometheusOptions options, std::unique_ptr<http::HttpClient> client);

  // A job whose turn has not come, for its samples or its history, `waits` and gets no samples, so that its
  // `since` stays. The same holds for a job without an answer from Prometheus. Once a call has taken as long
  // as the deadline of a request, it asks for no more than one group of each sort.
  Result<LossReport> collect(const std::vector<LossRequest>& jobs, Time now) override;

 private:
  struct Batch;

  // After `end`, on the monotonic clock, one group of each sort is asked for at most.
  Result<Batch> read(const std::vector<LossRequest>& jobs, Time now, Seconds end);
  // Reads without a query that jobs share. If that query failed too often, the next calls do the same.
  Result<Batch> readApart(const std::vector<LossRequest>& jobs, Time now, Seconds end);
  static LossReport reportOf(Batch batch);
  bool lookForCrowds(const std::vector<LossRequest>& jobs, Time now);
  Result<Matrix> ask(const Query& query, std::size_t mostBytes);
  Result<void> readRaw(Batch& batch, const ReadingTimes& times);
  void readHistory(Batch& batch, Time end);
  void askInTurn(Batch& batch, std::vector<GroupQuery> groups, std::size_t& turn,
                 SeriesMatching::Origin origin);
  void readGroup(Batch& batch, const GroupQuery& group, SeriesMatching::Origin origin);
  bool needsHistory(const LossRequest& job, Time rawFrom) const;
  void remember(const Batch& batch, Time now);

  const PrometheusOptions options_;
  const std::unique_ptr<http::HttpClient> client_;
  // How far this process has read each job's samples.
  struct Covered {
    std::string uid;
    Time since;  // the start of the range that was asked for last
    Time until;
  };
  std::map<JobKey, Covered> covered_;
  std::optional<Time> read_;  // when samples were last read
  Crowds crowds_;
  std::optional<Time> looked_;  // when crowds were last looked for
  bool mayBeCrowd_ = false;     // an answer of this call failed, or was as large as one with a crowd
  // The error of the query that most jobs share, if it failed in this call and groups may be answered.
  std::optional<ErrorKind> togetherFailed_;
  int failures_ = 0;                // of that query in a row, while groups were answered
  std::optional<Time> triedApart_;  // when queries for groups failed as well
  std::optional<Time> apart_;       // since when no jobs share a query; only for a while
  // The number of groups asked for so far: of jobs that would share a query, of neighbours of crowds, of jobs
  // that start, of silent jobs, of histories.
  std::size_t apartTurn_ = 0;
  std::size_t crowdedTurn_ = 0;
  std::size_t startingTurn_ = 0;
  std::size_t silentTurn_ = 0;
  std::size_t historyTurn_ = 0;
};

}  // namespace slaq::prom
