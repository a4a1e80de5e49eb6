#include "kube/objects/training_job.h"

#include <utility>

#include "kube/json/json_fields.h"
#include "kube/json/metadata.h"
#include "kube/objects/inherited_metadata.h"
#include "kube/objects/runbooks.h"
#include "kube/pods/pod_cores.h"
#include "manifest/job_reader.h"
#include "manifest/status_codec.h"

namespace slaq::kube::objects {

using json::at;
using json::resourceVersionOf;
using json::stringAt;

namespace {

// Init containers, side-cars and overhead count as they do for kube-scheduler. A job that scales by CPU
// scales its containers alone.
void setEffectiveCores(JobSpec& spec, const rapidjson::Value& trainingJob, std::string_view resource) {
  const auto* workers = at(trainingJob, {"spec", "workers", "template"});
  const bool byCpu = spec.workers.scaling == Scaling::CPU;
  if (workers && !byCpu) spec.workers.pod.effective = pods::effectiveCores(*workers, resource);
  const auto* driver = at(trainingJob, {"spec", "driver", "template"});
  if (driver && spec.driver) spec.driver->effective = pods::effectiveCores(*driver, resource);
}

JobStatus readStoredStatus(const rapidjson::Value& object) {
  JobStatus status = manifest::readStatus(object);
  for (auto& condition : status.conditions) condition.message = withoutRunbook(std::move(condition.message));
  return status;
}

}  // namespace

StoredJob readStoredJob(const rapidjson::Value& trainingJob, std::string_view resource) {
  auto [job, violations] = readTrainingJob(trainingJob, manifest::UnknownFields::Ignore, resource);
  StoredJob out;
  out.key = job.key;
  out.uid = job.uid;
  out.resourceVersion = resourceVersionOf(trainingJob);
  out.selector = stringAt(trainingJob, {"status", "selector"});
  if (const auto* status = at(trainingJob, {"status"})) out.status = readStoredStatus(*status);
  out.labels = inheritedMetadata(trainingJob, "labels");
  out.annotations = inheritedMetadata(trainingJob, "annotations");
  out.workersDocument = std::exchange(job.spec.workers.pod.document, {});
  if (job.spec.driver) out.driverDocument = std::exchange(job.spec.driver->document, {});
  setEffectiveCores(job.spec, trainingJob, resource);
  out.job = std::move(job);
  out.violations = std::move(violations);
  return out;
}

bool isStarting(const StoredJob& stored) { return !stored.status.progress; }

std::optional<std::string> refusalOf(const StoredJob& stored) {
  if (stored.violations.empty()) return std::nullopt;
  std::string out;
  for (const auto& [path, message] : stored.violations)
    out.append(out.empty() ? "" : "; ").append(path).append(" ").append(message);
  return out;
}

TrainingJob wholeJob(const StoredJob& stored) {
  TrainingJob out = stored.job;
  out.labels = stored.labels;
  out.annotations = stored.annotations;
  out.spec.workers.pod.document = stored.workersDocument;
  if (out.spec.driver) out.spec.driver->document = stored.driverDocument;
  return out;
}

}  // namespace slaq::kube::objects
