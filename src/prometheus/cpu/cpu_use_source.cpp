#include "prometheus/cpu/cpu_use_source.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace slaq::prom {
namespace {

// The newest sample is looked for within this time, since kubelets are often scraped only twice a minute.
constexpr Seconds kReach{120};
constexpr std::size_t kJobsOfOneQuery = 100;
constexpr std::size_t kBytesOfPods = 64u << 10;  // of each job

// True for pods named PREFIX[0-9]+-[a-z0-9]+, as those of an Indexed Job are. The pods of a job "a-workers-1"
// begin like those of a job "a", but belong to another job.
bool isOf(const Series& series, const LossRequest& job) {
  std::string_view pod = labelOf(series, "pod");
  if (labelOf(series, "namespace") != job.job.ns || !pod.starts_with(job.pods)) return false;
  pod.remove_prefix(job.pods.size());
  const auto dash = pod.find('-');
  return dash != 0 && dash != std::string_view::npos && dash == pod.find_first_not_of("0123456789") &&
         pod.find('-', dash + 1) == std::string_view::npos;
}

// The counters of a pod and of its containers, each by what tells it apart within the pod. Two scrapes of one
// kubelet have each counter twice.
using PodUse = std::map<std::array<std::string_view, 4>, double>;

// The counters of a job's pods, and the time of the last reading.
struct JobUse {
  Time time;
  std::map<std::string_view, PodUse> pods;
};

void add(JobUse& job, const Series& series) {
  const Point& newest = series.points.back();
  job.time = std::max(job.time, newest.time);
  double& counter = job.pods[labelOf(series, "pod")][{labelOf(series, "container"), labelOf(series, "id"),
                                                      labelOf(series, "name"), labelOf(series, "cpu")}];
  counter = std::max(counter, newest.value);
}

// The sum of a pod's containers, or the pod as a whole.
double usedBy(const PodUse& pod) {
  double containers = 0, whole = 0;
  for (const auto& [labels, used] : pod) (labels.front().empty() ? whole : containers) += used;
  return std::max(whole, containers);
}

CpuUse sumOf(const JobUse& job) {
  CpuUse sum{job.time};
  for (const auto& [name, pod] : job.pods) sum.used += Seconds(usedBy(pod));
  return sum;
}

std::unique_ptr<http::HttpClient> clientFor(const CpuUseOptions& options) {
  http::HttpEndpoint endpoint = options.endpoint;
  endpoint.maxBodyBytes = kJobsOfOneQuery * kBytesOfPods;
  return http::makeHttpClient(endpoint);
}

}  // namespace

// Asks for the series of pods and of containers: some runtimes have only those of pods, which some monitors
// drop.
Query cpuQuery(const Requests& jobs, Time now) {
  std::set<std::string> namespaces;
  std::set<std::string> pods;
  for (const auto* job : jobs) {
    namespaces.insert(job->job.ns);
    pods.insert(job->pods + "[0-9]+-[a-z0-9]+");
  }
  return rawQueryOfMetric(kCpuMetric, {{"namespace", namespaces}, {"pod", pods}}, {now, kReach});
}

std::map<JobKey, CpuUse> readCpuUse(const Matrix& matrix, const Requests& jobs) {
  std::map<JobKey, JobUse> found;
  for (const auto& series : matrix.series) {
    const auto owner = std::ranges::find_if(jobs, [&](const auto* job) { return isOf(series, *job); });
    if (owner != jobs.end() && !series.points.empty()) add(found[(*owner)->job], series);
  }
  std::map<JobKey, CpuUse> uses;
  for (const auto& [job, use] : found) uses[job] = sumOf(use);
  return uses;
}

CpuUseSource::CpuUseSource(const CpuUseOptions& options, std::unique_ptr<LossSource> others)
    : CpuUseSource(options, std::move(others), clientFor(options)) {}

CpuUseSource::CpuUseSource(CpuUseOptions options, std::unique_ptr<LossSource> others,
                           std::unique_ptr<http::HttpClient> client)
    : options_(std::move(options)), others_(std::move(others)), client_(std::move(client)) {}

Result<LossReport> CpuUseSource::collect(const std::vector<LossRequest>& jobs, Time now) {
  auto report = others_->collect(jobs, now);
  if (!report) return report;
  Requests asking;
  for (const LossRequest& job : jobs) {
    if (!job.pods.empty()) asking.push_back(&job);
  }
  const bool isSetBack = next_ && *next_ - now > options_.pause;  // wall time can be set back
  if (!asking.empty() && (!next_ || now >= *next_ || isSetBack)) addTo(*report, asking, now);
  return report;
}

// Asks for one group at a time. With hundreds of such jobs, each job's use is read less often.
void CpuUseSource::addTo(LossReport& report, const Requests& jobs, Time now) {
  const auto groups = partsOf(jobs, kJobsOfOneQuery);
  const Requests& group = groups[turn_++ % groups.size()];
  const auto answer = ask(cpuQuery(group, now));
  next_ = now + (answer ? options_.interval : options_.pause);
  if (!answer) return;
  for (const auto& [job, use] : readCpuUse(*answer, group)) {
    const auto found = report.find(job);
    if (found != report.end()) found->second.cpuUsed = use;
  }
}

Result<Matrix> CpuUseSource::ask(const Query& query) {
  auto response =
      client_->send({"POST", options_.pathPrefix + query.path, "application/x-www-form-urlencoded",
                     query.form, options_.headers, options_.deadline});
  return response ? readAnswer(std::move(*response)) : failure(response.error());
}

}  // namespace slaq::prom
