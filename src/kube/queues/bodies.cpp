#include "kube/queues/bodies.h"

#include <algorithm>
#include <charconv>

#include "kube/json/json_fields.h"
#include "kube/json/metadata.h"
#include "kube/objects/children.h"
#include "manifest/json_patch.h"
#include "manifest/object_writer.h"

namespace slaq::kube::queues {
namespace {

using manifest::ObjectWriter;
using objects::Role;
using rapidjson::Document;
using rapidjson::Value;
using Allocator = Document::AllocatorType;

constexpr const char* kJobUidLabel = "kueue.x-k8s.io/job-uid";
constexpr const char* kPriorityClassGroup = "kueue.x-k8s.io";
constexpr const char* kPriorityClassKind = "WorkloadPriorityClass";
constexpr std::size_t kUidDigits = 8;  // tell the Workloads of jobs that had one name after the other apart

Value podSetOf(const TrainingJob& job, Role role, Workers count, const std::string& reportImage,
               Allocator& allocator) {
  return ObjectWriter(allocator)
      .add("name", role == Role::Driver ? kDriverSet : kWorkerSet)
      .add("count", count)
      .add("template", objects::childTemplate(job, role, reportImage, allocator))
      .take();
}

Value annotationsOf(const Workload* replaced, Allocator& allocator) {
  ObjectWriter annotations(allocator);
  annotations.add(kElasticAnnotation, "true");
  if (replaced)
    annotations.add(kReplacesAnnotation, toString(replaced->key))
        .add(kFirstSliceAnnotation, replaced->first.empty() ? replaced->key.name : replaced->first);
  return annotations.take();
}

Value metadataOf(const TrainingJob& job, const std::string& name, const Workload* replaced,
                 Allocator& allocator) {
  Value owners(rapidjson::kArrayType);
  owners.PushBack(objects::ownerReferenceTo(job, allocator), allocator);
  return ObjectWriter(allocator)
      .add("name", name)
      .add("namespace", job.key.ns)
      .add("labels", ObjectWriter(allocator).add(kJobUidLabel, job.uid).take())
      .add("annotations", annotationsOf(replaced, allocator))
      .add("ownerReferences", std::move(owners))
      .take();
}

void setCondition(Value& all, const Condition& condition, std::int64_t generation, Time now,
                  Allocator& allocator) {
  const char* status = condition.isTrue ? "True" : "False";
  auto* const found = std::find_if(all.Begin(), all.End(), [&](const Value& each) {
    return json::stringAt(each, {"type"}) == condition.type;
  });
  const bool isKnown = found != all.End();
  const bool isNews = !isKnown || json::stringAt(*found, {"status"}) != status;
  const std::string since = isNews ? toRfc3339(now) : json::stringAt(*found, {"lastTransitionTime"});
  Value written = ObjectWriter(allocator)
                      .add("type", condition.type)
                      .add("status", status)
                      .add("reason", condition.reason)
                      .add("message", condition.message)
                      .add("observedGeneration", generation)
                      .add("lastTransitionTime", since)
                      .take();
  if (isKnown) {
    *found = std::move(written);
  } else {
    all.PushBack(std::move(written), allocator);
  }
}

}  // namespace

int numberOf(const std::string& name) {
  const auto dash = name.rfind('-');
  int number = 0;
  if (dash != std::string::npos) std::from_chars(name.data() + dash + 1, name.data() + name.size(), number);
  return number;
}

std::string workloadName(const TrainingJob& job, const Workload* last) {
  return "trainingjob-" + job.key.name + "-" + job.uid.substr(0, kUidDigits) + "-" +
         std::to_string(last ? numberOf(last->key.name) + 1 : 1);
}

std::string workloadBody(const TrainingJob& job, const std::string& name, Workers workers,
                         std::int32_t priority, const Workload* replaced, const std::string& reportImage) {
  Document document;
  auto& allocator = document.GetAllocator();
  Value podSets(rapidjson::kArrayType);
  if (job.spec.driver)
    podSets.PushBack(podSetOf(job, Role::Driver, Workers(1), reportImage, allocator), allocator);
  podSets.PushBack(podSetOf(job, Role::Workers, workers, reportImage, allocator), allocator);
  ObjectWriter spec(allocator);
  spec.add("queueName", replaced ? replaced->queue : job.queue).add("priority", static_cast<int>(priority));
  spec.add("podSets", std::move(podSets));
  if (!job.priorityClass.empty())
    spec.add("priorityClassRef", ObjectWriter(allocator)
                                     .add("group", kPriorityClassGroup)
                                     .add("kind", kPriorityClassKind)
                                     .add("name", job.priorityClass)
                                     .take());
  return manifest::toText(ObjectWriter(allocator)
                              .add("apiVersion", "kueue.x-k8s.io/v1beta2")
                              .add("kind", "Workload")
                              .add("metadata", metadataOf(job, name, replaced, allocator))
                              .add("spec", spec.take())
                              .take());
}

std::string workersPatch(const Workload& workload, Workers workers) {
  const auto found = std::ranges::find(workload.podSets, kWorkerSet, &PodSet::name);
  const auto place = found - workload.podSets.begin();
  return manifest::JsonPatch()
      .require(workload.uid, workload.resourceVersion)
      .set("/spec/podSets/" + std::to_string(place) + "/count", workers.value())
      .text();
}

std::string boostPatch(const Workload& workload, int boost) {
  Document document;
  auto& allocator = document.GetAllocator();
  ObjectWriter annotations(allocator);
  if (boost == 0) {
    annotations.add(kPriorityBoostAnnotation, Value());
  } else {
    annotations.add(kPriorityBoostAnnotation, std::to_string(boost));
  }
  return manifest::toText(
      ObjectWriter(allocator)
          .add("metadata",
               ObjectWriter(allocator).add("uid", workload.uid).add("annotations", annotations.take()).take())
          .take());
}

std::string conditionsPatch(const Value& workload, const std::vector<Condition>& conditions, Time now,
                            bool releases) {
  Document document;
  auto& allocator = document.GetAllocator();
  Value all(rapidjson::kArrayType);
  for (const auto& each : json::elementsAt(workload, {"status", "conditions"}))
    all.PushBack(Value(each, allocator), allocator);
  const std::int64_t generation = json::intAt(workload, {"metadata", "generation"});
  for (const auto& each : conditions) setCondition(all, each, generation, now, allocator);
  ObjectWriter status(allocator);
  status.add("conditions", std::move(all));
  if (releases) status.add("admission", Value());
  return manifest::toText(ObjectWriter(allocator)
                              .add("metadata", ObjectWriter(allocator)
                                                   .add("uid", json::uidOf(workload))
                                                   .add("resourceVersion", json::resourceVersionOf(workload))
                                                   .take())
                              .add("status", status.take())
                              .take());
}

}  // namespace slaq::kube::queues
