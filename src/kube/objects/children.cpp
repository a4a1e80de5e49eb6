#include "kube/objects/children.h"

#include <rapidjson/pointer.h>
#include <rapidjson/stringbuffer.h>

#include <limits>
#include <utility>

#include "kube/json/json_fields.h"
#include "kube/objects/names.h"
#include "kube/objects/pod_template.h"
#include "kube/pods/report_container.h"
#include "kube/pods/worker_cpu.h"
#include "manifest/json_patch.h"
#include "manifest/object_writer.h"

namespace slaq::kube::objects {
namespace {

using rapidjson::Document;
using rapidjson::Value;
using Allocator = Document::AllocatorType;

constexpr int kSigtermExit = 143;

Value listOf(Value only, Allocator& allocator) {
  Value out(rapidjson::kArrayType);
  out.PushBack(std::move(only), allocator);
  return out;
}

Value annotationsOf(Cores cpu, Allocator& allocator) {
  return manifest::ObjectWriter(allocator).add(kWorkerCpuAnnotation, toString(cpu)).take();
}

// No inherited key is one of slaq's.
void addInherited(Value& to, const std::map<std::string, std::string>& inherited, Allocator& allocator) {
  for (const auto& [key, value] : inherited)
    to.AddMember(Value(key.c_str(), allocator), Value(value.c_str(), allocator), allocator);
}

// Evictions, and workers that were told to stop when the job shrank, do not count as failures.
Value failurePolicy(Allocator& allocator) {
  Value disrupted =
      manifest::ObjectWriter(allocator).add("type", "DisruptionTarget").add("status", "True").take();
  Value code(kSigtermExit);
  Value rules(rapidjson::kArrayType);
  rules.PushBack(manifest::ObjectWriter(allocator)
                     .add("action", "Ignore")
                     .add("onPodConditions", listOf(std::move(disrupted), allocator))
                     .take(),
                 allocator);
  rules.PushBack(manifest::ObjectWriter(allocator)
                     .add("action", "Ignore")
                     .add("onExitCodes", manifest::ObjectWriter(allocator)
                                             .add("operator", "In")
                                             .add("values", listOf(std::move(code), allocator))
                                             .take())
                     .take(),
                 allocator);
  return manifest::ObjectWriter(allocator).add("rules", std::move(rules)).take();
}

Value chiefDecides(Allocator& allocator) {
  Value rule = manifest::ObjectWriter(allocator).add("succeededIndexes", "0").take();
  return manifest::ObjectWriter(allocator).add("rules", listOf(std::move(rule), allocator)).take();
}

// Makes the pods members of the job's PodGroup, which has its name.
void joinGroup(Value& podSpec, const TrainingJob& job, Allocator& allocator) {
  Value group = manifest::ObjectWriter(allocator).add("podGroupName", job.key.name).take();
  json::assign(podSpec, "schedulingGroup", std::move(group), allocator);
}

std::string jobBody(const TrainingJob& job, Role role, Workers count, const std::string& reportImage,
                    bool isInGroup, std::optional<Cores> cpu = {}) {
  Document document;
  auto& allocator = document.GetAllocator();
  manifest::ObjectWriter spec(allocator);
  spec.add("completionMode", "Indexed").add("parallelism", count).add("completions", count);
  // Kubernetes also counts failures of indexes that no longer exist, so the Job itself must never give up.
  // The controller counts the failures since the last new iteration.
  spec.add("backoffLimit", std::numeric_limits<std::int32_t>::max());
  spec.add("podFailurePolicy", failurePolicy(allocator));
  if (role == Role::Workers && !job.spec.driver) spec.add("successPolicy", chiefDecides(allocator));
  Value pod = childTemplate(job, role, reportImage, allocator);
  if (isInGroup) joinGroup(pod["spec"], job, allocator);
  Value annotations(rapidjson::kObjectType);
  if (cpu) {
    pods::assignCpu(pod["spec"], pods::spread(job.spec.workers, *cpu, true), allocator);
    annotations = annotationsOf(*cpu, allocator);
  }
  Value metadata = metadataOf(job, childName(job.key.name, role), ownersLabels(job, role, allocator),
                              std::move(annotations), allocator);
  spec.add("template", std::move(pod));
  return manifest::toText(manifest::ObjectWriter(allocator)
                              .add("apiVersion", "batch/v1")
                              .add("kind", "Job")
                              .add("metadata", std::move(metadata))
                              .add("spec", spec.take())
                              .take());
}

// Sets the labels of the pods one by one, since the Job controller adds some of its own.
void patchLabels(const Value& labels, const Value& job, manifest::JsonPatch& patch) {
  for (const auto& [key, label] : labels.GetObject()) {
    const auto field =
        rapidjson::Pointer("/spec/template/metadata/labels").Append(key.GetString(), key.GetStringLength());
    const auto* is = field.Get(job);
    rapidjson::StringBuffer path;
    field.Stringify(path);
    if (!is || *is != label) patch.set(path.GetString(), label);
  }
}

}  // namespace

Value ownerReferenceTo(const TrainingJob& job, Allocator& allocator) {
  return manifest::ObjectWriter(allocator)
      .add("apiVersion", "slaq.io/v1alpha1")
      .add("kind", "TrainingJob")
      .add("name", job.key.name)
      .add("uid", job.uid)
      .add("controller", true)
      .add("blockOwnerDeletion", true)
      .take();
}

Value metadataOf(const TrainingJob& job, const std::string& name, Value labels, Value annotations,
                 Allocator& allocator) {
  addInherited(labels, job.labels, allocator);
  addInherited(annotations, job.annotations, allocator);
  manifest::ObjectWriter metadata(allocator);
  metadata.add("name", name).add("namespace", job.key.ns).add("labels", std::move(labels));
  if (!annotations.ObjectEmpty()) metadata.add("annotations", std::move(annotations));
  return metadata.add("ownerReferences", listOf(ownerReferenceTo(job, allocator), allocator)).take();
}

Value childTemplate(const TrainingJob& job, Role role, const std::string& reportImage, Allocator& allocator) {
  Value pod = podTemplate(job, role, allocator);
  if (job.spec.loss.from && role == chiefRole(job.spec))
    pods::startThroughReport(pod["spec"], job.spec, reportImage, metricsPort(job.spec), allocator);
  return pod;
}

std::string serviceBody(const TrainingJob& job) {
  Document document;
  auto& allocator = document.GetAllocator();
  Value labels = manifest::ObjectWriter(allocator).add(kJobLabel, job.key.name).take();
  // Not the pods of an earlier job of this name that are still ending.
  Value selector =
      manifest::ObjectWriter(allocator).add(kJobLabel, job.key.name).add(kUidLabel, job.uid).take();
  return manifest::toText(manifest::ObjectWriter(allocator)
                              .add("apiVersion", "v1")
                              .add("kind", "Service")
                              .add("metadata", metadataOf(job, job.key.name, std::move(labels),
                                                          Value(rapidjson::kObjectType), allocator))
                              .add("spec", manifest::ObjectWriter(allocator)
                                               .add("clusterIP", "None")
                                               .add("publishNotReadyAddresses", true)
                                               .add("selector", std::move(selector))
                                               .take())
                              .take());
}

std::string driverBody(const TrainingJob& job, const std::string& reportImage, bool isInGroup) {
  return jobBody(job, Role::Driver, Workers(1), reportImage, isInGroup);
}

std::string workersBody(const TrainingJob& job, Workers count, std::optional<Cores> cpu,
                        const std::string& reportImage, bool isInGroup) {
  return jobBody(job, Role::Workers, count, reportImage, isInGroup, cpu);
}

bool reached(const ChildJob& child, const ChildGoal& goal) {
  const bool suspended = !goal.suspended || *goal.suspended == child.suspended;
  const bool count = !goal.count || (*goal.count == child.parallelism && *goal.count == child.completions);
  const bool cpu = !goal.cpu || goal.cpu == child.workerCpu;
  return suspended && count && cpu;
}

ChildJob applied(ChildJob child, const ChildGoal& goal) {
  child.suspended = goal.suspended.value_or(child.suspended);
  child.parallelism = goal.count.value_or(child.parallelism);
  child.completions = goal.count.value_or(child.completions);
  if (goal.cpu) child.workerCpu = goal.cpu;
  return child;
}

bool sameSize(const ChildJob& a, const ChildJob& b) {
  return a.parallelism == b.parallelism && a.completions == b.completions && a.suspended == b.suspended &&
         a.workerCpu == b.workerCpu;
}

std::string placementPatch(const Value& job, const std::string& body) {
  const auto wanted = json::parseJson(body);
  manifest::JsonPatch patch;
  for (const auto& [parent, field] : {std::pair("spec", "nodeSelector"), std::pair("spec", "tolerations"),
                                      std::pair("metadata", "annotations")}) {
    const auto* is = json::at(job, {"spec", "template", parent, field});
    const auto* goal = json::at(wanted, {"spec", "template", parent, field});
    const std::string path = std::string("/spec/template/") + parent + "/" + field;
    if (goal && !(is && *is == *goal)) patch.set(path, *goal);
    if (is && !goal) patch.remove(path);
  }
  const auto* labels = json::at(wanted, {"spec", "template", "metadata", "labels"});
  if (labels) patchLabels(*labels, job, patch);
  return patch.empty() ? "" : patch.text();
}

std::string patchBody(const ChildJob& child, const ChildGoal& goal) {
  Document document;
  auto& allocator = document.GetAllocator();
  manifest::ObjectWriter spec(allocator);
  if (goal.suspended) spec.add("suspend", *goal.suspended);
  if (goal.count) spec.add("parallelism", *goal.count).add("completions", *goal.count);
  manifest::ObjectWriter metadata(allocator);
  metadata.add("uid", child.uid).add("resourceVersion", child.resourceVersion);
  if (goal.cpu) metadata.add("annotations", annotationsOf(*goal.cpu, allocator));
  manifest::ObjectWriter body(allocator);
  body.add("metadata", metadata.take());
  if (goal.suspended || goal.count) body.add("spec", spec.take());
  return manifest::toText(body.take());
}

}  // namespace slaq::kube::objects
