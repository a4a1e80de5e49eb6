#include "kube/objects/pod_group.h"

#include <algorithm>

#include "kube/json/json_fields.h"
#include "kube/json/metadata.h"
#include "kube/objects/children.h"
#include "kube/objects/pod_template.h"
#include "manifest/object_writer.h"

namespace slaq::kube::objects {
namespace {

using json::intAt;
using json::stringAt;
using manifest::ObjectWriter;
using rapidjson::Document;
using rapidjson::Value;

// All pods of a group must have these in common.
struct Common {
  std::string priorityClass;
  std::string scheduler;
  bool mayJoin = false;

  bool operator==(const Common&) const = default;
};

Common commonOf(const TrainingJob& job, Role role) {
  Document document;
  const Value pod = podTemplate(job, role, document.GetAllocator());
  const bool mayJoin =
      !json::at(pod, {"spec", "schedulingGroup"}) && !json::at(pod, {"spec", "evictionResponders"});
  return {stringAt(pod, {"spec", "priorityClassName"}), stringAt(pod, {"spec", "schedulerName"}), mayJoin};
}

Value specOf(int minCount, Document::AllocatorType& allocator) {
  Value gang = ObjectWriter(allocator).add("minCount", minCount).take();
  Value policy = ObjectWriter(allocator).add("gang", std::move(gang)).take();
  return ObjectWriter(allocator).add("schedulingPolicy", std::move(policy)).take();
}

}  // namespace

std::optional<Gang> gangOf(const TrainingJob& job, Workers start, bool mayHaveDriver) {
  const Common workers = commonOf(job, Role::Workers);
  if (!workers.mayJoin) return std::nullopt;
  const bool hasDriver = mayHaveDriver && job.spec.driver && commonOf(job, Role::Driver) == workers;
  const int minCount = std::min(job.spec.workers.min, start).value() + (hasDriver ? 1 : 0);
  return Gang{minCount, hasDriver, workers.priorityClass};
}

std::string podGroupBody(const TrainingJob& job, const Gang& gang) {
  Document document;
  auto& allocator = document.GetAllocator();
  Value labels = ObjectWriter(allocator).add(kJobLabel, job.key.name).add(kUidLabel, job.uid).take();
  Value metadata = metadataOf(job, job.key.name, std::move(labels), Value(rapidjson::kObjectType), allocator);
  Value spec = specOf(gang.minCount, allocator);
  if (!gang.priorityClass.empty())
    spec.AddMember("priorityClassName", Value(gang.priorityClass.c_str(), allocator), allocator);
  return manifest::toText(ObjectWriter(allocator)
                              .add("apiVersion", "scheduling.k8s.io/v1beta1")
                              .add("kind", "PodGroup")
                              .add("metadata", std::move(metadata))
                              .add("spec", std::move(spec))
                              .take());
}

int minCountOf(const Value& podGroup) {
  return intAt(podGroup, {"spec", "schedulingPolicy", "gang", "minCount"});
}

std::string minCountPatch(const Value& podGroup, int minCount) {
  Document document;
  auto& allocator = document.GetAllocator();
  Value metadata = ObjectWriter(allocator).add("uid", json::uidOf(podGroup)).take();
  return manifest::toText(ObjectWriter(allocator)
                              .add("metadata", std::move(metadata))
                              .add("spec", specOf(minCount, allocator))
                              .take());
}

}  // namespace slaq::kube::objects
