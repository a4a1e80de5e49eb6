#include "job/validate.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <set>

#include "base/dns_name.h"
#include "job/loss_from.h"

namespace slaq {
namespace {

constexpr std::size_t kLongestName = 45;  // room for "-workers" and the pod's suffix within 63
constexpr int kHeaviest = 1000;
constexpr std::size_t kLongestQuery = 4096;
// More than any cluster has, and small enough that sums over all jobs cannot overflow.
constexpr Workers kMostWorkers{100'000};
constexpr Seconds kLongestPause{86'400};
constexpr const char* kReplicas = "spec.replicas";

// A name that is also valid for a Service: it begins with a letter (RFC 1035).
bool isServiceName(const std::string& text) {
  return isDnsLabel(text) && std::islower(static_cast<unsigned char>(text.front()));
}

bool hasContainers(const PodTemplate& pod, const std::string& path, std::vector<Violation>& out) {
  if (pod.containers.empty()) out.push_back({path + ".spec.containers", "must have at least one container"});
  return !pod.containers.empty();
}

// The advice for a pod that requests nothing.
std::string exampleRequest(std::string_view resource) {
  if (resource == "cpu") return "must request CPU, such as requests: {cpu: 500m}: it is what a pod costs";
  return "must request " + std::string(resource) + ", such as limits: {" + std::string(resource) +
         ": 1}: it is what a worker costs";
}

// Checks each container, and the sum over all containers, which is what a pod costs.
void checkSize(const PodTemplate& pod, const std::string& path, std::vector<Violation>& out) {
  const std::string most = "must ask for at most " + toString(kMostCores);
  for (std::size_t i = 0; i < pod.containers.size(); ++i) {
    const Container& container = pod.containers[i];
    if (std::max(container.request, container.limit).value_or(Cores()) <= kMostCores) continue;
    return out.push_back({path + ".spec.containers[" + std::to_string(i) + "].resources", most});
  }
  if (coresOf(pod) > kMostCores) out.push_back({path + ".spec.containers", most + " together"});
}

void checkPod(const PodTemplate& pod, const std::string& path, std::string_view resource,
              std::vector<Violation>& out) {
  if (!hasContainers(pod, path, out)) return;
  if (coresOf(pod) <= Cores()) {
    out.push_back({path + ".spec.containers[0].resources", exampleRequest(resource)});
  }
  checkSize(pod, path, out);
}

void checkCpuBounds(const CpuBounds& cpu, const PodTemplate& pod, std::vector<Violation>& out) {
  const std::string path = "spec.workers.cpu";
  if (cpu.min <= Cores()) {
    out.push_back({path + ".min", "must be more than 0, such as 200m: the fewest cores of a worker"});
  } else if (cpu.max < cpu.min) {
    out.push_back({path + ".max", "must be at least min (" + toString(cpu.min) + ")"});
  } else if (cpu.max > kMostCores) {
    out.push_back({path + ".max", "must be at most " + toString(kMostCores)});
  } else if (const Cores each = coresOf(pod); each > Cores() && (each < cpu.min || each > cpu.max)) {
    out.push_back({"spec.workers.template.spec.containers[0].resources",
                   "must request from " + toString(cpu.min) + " to " + toString(cpu.max) +
                       " CPU, the bounds in spec.workers.cpu, not " + toString(each)});
  }
}

void checkScaling(const JobSpec& spec, std::string_view resource, std::vector<Violation>& out) {
  const std::string path = "spec.workers.scaling";
  const auto& start = spec.workers.start.cpu;
  if (start && (*start <= Cores() || *start > kMostCores))
    out.push_back({"spec.workers.start.cpu", "must be more than 0 and at most " + toString(kMostCores)});
  if (spec.workers.scaling == Scaling::Replicas) {
    if (start) out.push_back({path, "must be CPU where start is given; or leave start out"});
    if (spec.workers.cpu == CpuBounds()) return;
    out.push_back({path, "must be CPU where cpu is given; or leave cpu out"});
  } else if (resource != "cpu") {
    out.push_back({path, "must be Replicas where capacity is counted in " + std::string(resource)});
  } else {
    checkCpuBounds(spec.workers.cpu, spec.workers.pod, out);
  }
}

void checkSizes(const JobSpec& spec, std::vector<Violation>& out) {
  const WorkersSpec& workers = spec.workers;
  const std::string path = "spec.workers.sizes";
  const std::set<Workers> sizes(workers.sizes.begin(), workers.sizes.end());
  if (sizes.empty()) return;
  if (workers.scaling == Scaling::CPU) {
    out.push_back({path, "must be left out where scaling is CPU"});
  } else if (*sizes.begin() < workers.min || *sizes.rbegin() > workers.max) {
    out.push_back({path, "must be numbers from minReplicas to maxReplicas, such as [1, 2, 4]"});
  } else if (sizes.size() < workers.sizes.size()) {
    out.push_back({path, "must name each number once"});
  } else if (isPinned(spec) && !sizes.contains(*spec.replicas)) {
    out.push_back({kReplicas, "must be 0 (suspended) or one of sizes to pin the job to, or left out"});
  }
}

void checkWorkers(const JobSpec& spec, std::string_view resource, std::vector<Violation>& out) {
  const WorkersSpec& workers = spec.workers;
  const std::string path = "spec.workers";
  if (workers.min < Workers(1)) out.push_back({path + ".minReplicas", "must be at least 1"});
  if (workers.max < workers.min) {
    out.push_back({path + ".maxReplicas",
                   "must be at least minReplicas (" + std::to_string(workers.min.value()) + ")"});
  }
  if (workers.max > kMostWorkers) {
    out.push_back({path + ".maxReplicas", "must be at most " + std::to_string(kMostWorkers.value())});
  }
  if (spec.replicas && *spec.replicas != Workers(0) &&
      (*spec.replicas < workers.min || *spec.replicas > workers.max)) {
    out.push_back(
        {kReplicas,
         "must be 0 (suspended) or a number from minReplicas to maxReplicas to pin the job to, or left out"});
  }
  checkSizes(spec, out);
  if (const auto pause = workers.restart.pause; pause && (*pause < Seconds(0) || *pause > kLongestPause))
    out.push_back({path + ".restart.pauseSeconds", "must be from 0 to 86400"});
  checkScaling(spec, resource, out);
  if (!workers.target) checkPod(workers.pod, path + ".template", resource, out);
}

// slaq neither starts nor stops an object that it did not create, and does not change its CPU.
void checkTarget(const JobSpec& spec, std::vector<Violation>& out) {
  if (!spec.workers.target && spec.mode == Mode::Observe)
    out.push_back({"spec.mode",
                   "can be Observe only with workers.targetRef: the pods of a template have to be started"});
  if (!spec.workers.target) return;
  const std::string why = " with workers.targetRef: slaq only changes the number of workers of that object";
  if (spec.workers.scaling == Scaling::CPU) out.push_back({"spec.workers.scaling", "must be Replicas" + why});
  if (spec.loss.from) out.push_back({"spec.loss.from", "can't be given" + why});
  if (spec.stop != StopSpec()) out.push_back({"spec.stop", "can't be given" + why});
}

void checkMetric(const std::string& metric, const char* field, const char* example,
                 std::vector<Violation>& out) {
  if (isMetricName(metric)) return;
  out.push_back(
      {std::string("spec.loss.") + field, std::string("must be the name of a metric, such as ") + example});
}

void checkQueries(const LossSpec& loss, std::vector<Violation>& out) {
  if (loss.query.empty() != loss.iterationQuery.empty()) {
    const char* missing = loss.query.empty() ? "spec.loss.query" : "spec.loss.iterationQuery";
    out.push_back({missing, "is missing; query and iterationQuery are given together"});
  }
  const std::pair<const char*, const std::string&> queries[] = {
      {"spec.loss.query", loss.query}, {"spec.loss.iterationQuery", loss.iterationQuery}};
  for (const auto& [path, query] : queries) {
    if (query.size() <= kLongestQuery) continue;
    out.push_back({path, "must have at most " + std::to_string(kLongestQuery) + " characters"});
  }
}

void checkLoss(const LossSpec& loss, std::vector<Violation>& out) {
  checkMetric(loss.metric, "metric", kDefaultLossMetric, out);
  checkMetric(loss.iterationMetric, "iterationMetric", kDefaultIterationMetric, out);
  if (loss.metric == loss.iterationMetric) {
    out.push_back({"spec.loss.iterationMetric",
                   "must be another metric than metric: the one that counts the iterations that are done"});
  }
  checkQueries(loss, out);
  if (loss.target && !std::isfinite(*loss.target)) {
    out.push_back({"spec.loss.target", "must be a finite number, such as \"0.12\""});
  }
}

void checkPattern(const LossFrom& from, std::vector<Violation>& out) {
  if (from.pattern.empty()) return;
  const std::string path = "spec.loss.from.output";
  if (!from.metric.empty())
    out.push_back({path + ".metric", "can't be given together with pattern; leave it out, or pattern"});
  if (const auto problem = problemOfPattern(from.pattern)) out.push_back({path + ".pattern", *problem});
}

// slaq-report can only start a command that the template gives.
void checkLossFrom(const JobSpec& spec, std::vector<Violation>& out) {
  const PodTemplate& chief = chiefOf(spec);
  if (spec.loss.from) checkPattern(*spec.loss.from, out);
  if (!spec.loss.from || chief.containers.empty()) return;
  const std::size_t main = mainContainerOf(chief);
  if (!chief.containers[main].command.empty()) return;
  const std::string path = spec.driver ? "spec.driver.template" : "spec.workers.template";
  out.push_back(
      {path + ".spec.containers[" + std::to_string(main) + "].command",
       "must be given where spec.loss.from is, such as [python, train.py]: what the image starts by "
       "itself is not known"});
}

void checkStop(const StopSpec& stop, const LossSpec& loss, std::vector<Violation>& out) {
  const auto& percent = stop.lossReductionPercent;
  if (percent && !(*percent > 0 && *percent < 100)) {
    out.push_back(
        {"spec.stop.lossReductionPercent", "must be more than 0 and less than 100, such as \"95\""});
  } else if (percent && loss.convergence == Convergence::NonConvex && !loss.target) {
    out.push_back(
        {"spec.loss.target",
         "must be given for stop.lossReductionPercent where convergence is NonConvex, such as \"0.12\""});
  }
  if (stop.patience && *stop.patience < 1) out.push_back({"spec.stop.patience", "must be at least 1"});
  if (stop.maxIterations && *stop.maxIterations < 1) {
    out.push_back({"spec.stop.maxIterations", "must be at least 1"});
  }
  if (stop.activeDeadline && *stop.activeDeadline < Seconds(1)) {
    out.push_back({"spec.stop.activeDeadlineSeconds", "must be at least 1"});
  }
}

}  // namespace

std::vector<Violation> hints(const TrainingJob& job, std::string_view resource) {
  std::vector<Violation> out;
  const WorkersSpec& workers = job.spec.workers;
  const bool isOfCpu = resource == "cpu" && workers.scaling == Scaling::Replicas && !workers.target;
  for (std::size_t i = 0; isOfCpu && i < workers.pod.containers.size(); ++i) {
    const Container& container = workers.pod.containers[i];
    if (!container.limit || *container.limit > container.request.value_or(*container.limit)) continue;
    out.push_back(
        {"spec.workers.template.spec.containers[" + std::to_string(i) + "].resources.limits",
         "holds a worker to the CPU that it requests, also where others leave some idle; leave the CPU "
         "limit out"});
  }
  const auto& percent = job.spec.stop.lossReductionPercent;
  if (percent && *percent < 1) {
    out.push_back({"spec.stop.lossReductionPercent", "is " + toDecimal(*percent) + "% as written; for " +
                                                         toDecimal(100 * *percent) + "% write \"" +
                                                         toDecimal(100 * *percent) + "\""});
  }
  return out;
}

bool isMetricName(std::string_view name) {
  const auto allowed = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == ':'; };
  return !name.empty() && std::ranges::all_of(name, allowed) &&
         std::isdigit(static_cast<unsigned char>(name.front())) == 0;
}

bool isJobName(const std::string& name) { return isServiceName(name) && name.size() <= kLongestName; }

std::vector<Violation> validate(const TrainingJob& job, std::string_view resource) {
  std::vector<Violation> out;
  if (!job.key.ns.empty() && !isDnsLabel(job.key.ns))
    out.push_back({"metadata.namespace", "must be at most 63 of a-z, 0-9 and -, such as team-a"});
  if (!isJobName(job.key.name)) {
    out.push_back({"metadata.name", "must be a DNS label (a-z, 0-9, '-', a letter first) of at most " +
                                        std::to_string(kLongestName) + " characters"});
  }
  if (job.spec.weight < 1 || job.spec.weight > kHeaviest) {
    out.push_back({"spec.weight", "must be a whole number from 1 to " + std::to_string(kHeaviest)});
  }
  checkWorkers(job.spec, resource, out);
  checkTarget(job.spec, out);
  // With a target, it stands for the other pods of an object that exists.
  const bool isOwn = job.spec.driver && !job.spec.workers.target;
  if (isOwn && resource == "cpu") checkPod(*job.spec.driver, "spec.driver.template", resource, out);
  if (isOwn && resource != "cpu" && hasContainers(*job.spec.driver, "spec.driver.template", out)) {
    checkSize(*job.spec.driver, "spec.driver.template", out);
  }
  checkLoss(job.spec.loss, out);
  checkLossFrom(job.spec, out);
  checkStop(job.spec.stop, job.spec.loss, out);
  if (job.spec.ttlAfterFinished && *job.spec.ttlAfterFinished < Seconds(0)) {
    out.push_back({"spec.ttlSecondsAfterFinished", "must be 0 or more"});
  }
  if (job.spec.backoffLimit < 0) out.push_back({"spec.backoffLimit", "must be 0 or more"});
  return out;
}

}  // namespace slaq
