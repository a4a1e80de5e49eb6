#include "job/validate.h"

#include <algorithm>
#include <cctype>

namespace slaq {
namespace {

constexpr std::size_t kLongestName = 45;  // room for "-workers" and the pod's suffix within 63
constexpr int kHeaviest = 1000;

// A name that a Service may have too: it begins with a letter (RFC 1035).
bool isDnsLabel(const std::string& text) {
  const auto allowed = [](unsigned char c) { return std::islower(c) || std::isdigit(c) || c == '-'; };
  return !text.empty() && std::ranges::all_of(text, allowed) &&
         std::islower(static_cast<unsigned char>(text.front())) && text.back() != '-';
}

bool isMetricName(const std::string& text) {
  const auto allowed = [](unsigned char c) { return std::isalnum(c) || c == '_' || c == ':'; };
  return !text.empty() && std::ranges::all_of(text, allowed) &&
         !std::isdigit(static_cast<unsigned char>(text.front()));
}

void checkPod(const PodTemplate& pod, const std::string& path, std::vector<Violation>& out) {
  if (pod.containers.empty()) {
    out.push_back({path + ".spec.containers", "must have at least one container"});
  } else if (coresOf(pod) <= Cores()) {
    out.push_back({path + ".spec.containers[0].resources",
                   "must request CPU, such as requests: {cpu: 500m}: it is what a pod costs"});
  }
}

void checkWorkers(const WorkersSpec& workers, std::vector<Violation>& out) {
  const std::string path = "spec.workers";
  if (workers.min < Workers(1)) out.push_back({path + ".minReplicas", "must be at least 1"});
  if (workers.max < workers.min) {
    out.push_back({path + ".maxReplicas",
                   "must be at least minReplicas (" + std::to_string(workers.min.value()) + ")"});
  }
  const bool pinned = workers.pinned != Workers(0);
  if (pinned && (workers.pinned < workers.min || workers.pinned > workers.max)) {
    out.push_back({path + ".replicas",
                   "must be 0 (automatic) or a number from minReplicas to maxReplicas to pin the job to"});
  }
  checkPod(workers.pod, path + ".template", out);
}

}  // namespace

std::vector<Violation> validate(const TrainingJob& job) {
  std::vector<Violation> out;
  if (!isDnsLabel(job.key.name) || job.key.name.size() > kLongestName) {
    out.push_back({"metadata.name", "must be a DNS label (a-z, 0-9, '-', a letter first) of at most " +
                                        std::to_string(kLongestName) + " characters"});
  }
  if (job.spec.weight < 1 || job.spec.weight > kHeaviest) {
    out.push_back({"spec.weight", "must be a whole number from 1 to " + std::to_string(kHeaviest)});
  }
  checkWorkers(job.spec.workers, out);
  if (job.spec.driver) checkPod(*job.spec.driver, "spec.driver.template", out);
  if (!isMetricName(job.spec.loss.metric)) {
    out.push_back({"spec.loss.metric", "must be the name of a metric, such as slaq_training_loss"});
  }
  if (!isMetricName(job.spec.loss.iterationMetric)) {
    out.push_back({"spec.loss.iterationMetric",
                   "must be the name of a metric, such as slaq_training_iterations_total"});
  }
  if (job.spec.backoffLimit < 0) out.push_back({"spec.backoffLimit", "must be 0 or more"});
  return out;
}

}  // namespace slaq
