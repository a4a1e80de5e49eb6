// The CPU time that workers have used, as the kubelet counts it. It serves jobs that scale by CPU, whose
// workers may use more than they were given. This source wraps another one and adds to its report.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "http/client.h"
#include "ports/loss_source.h"
#include "prometheus/matrix.h"
#include "prometheus/queries.h"

namespace slaq::prom {

// The kubelet's counter of CPU seconds by container (its endpoint /metrics/cadvisor).
inline constexpr const char* kCpuMetric = "container_cpu_usage_seconds_total";

// Raw samples of the counter of the jobs' pods. REQUIRES: each job has `pods`.
Query cpuQuery(const Requests& jobs, Time now);

// The newest sum over each job's pods.
std::map<JobKey, CpuUse> readCpuUse(const Matrix& matrix, const Requests& jobs);

struct CpuUseOptions {
  http::HttpEndpoint endpoint;
  std::string pathPrefix;                      // before /api/v1, such as "/prometheus"
  std::map<std::string, std::string> headers;  // a tenant's, such as X-Scope-OrgID
  Seconds deadline{2};                         // for each request
  Seconds interval{5};                         // between two requests: the kubelet counts every ten seconds
  Seconds pause{60};                           // after a failed request
};

// If Prometheus does not know the counter or does not answer, the source adds nothing and reports no problem.
// Speeds are then learned over the cores that were given.
class CpuUseSource final : public LossSource {
 public:
  CpuUseSource(const CpuUseOptions& options, std::unique_ptr<LossSource> others);
  CpuUseSource(CpuUseOptions options, std::unique_ptr<LossSource> others,
               std::unique_ptr<http::HttpClient> client);

  Result<LossReport> collect(const std::vector<LossRequest>& jobs, Time now) override;

 private:
  void addTo(LossReport& report, const Requests& jobs, Time now);
  Result<Matrix> ask(const Query& query);

  const CpuUseOptions options_;
  const std::unique_ptr<LossSource> others_;
  const std::unique_ptr<http::HttpClient> client_;
  std::optional<Time> next_;  // when to ask again
  std::size_t turn_ = 0;      // counts the groups of jobs that were asked for
};

}  // namespace slaq::prom
