#include "kube/objects/pod_template.h"

#include <set>

#include "kube/json/json_fields.h"
#include "kube/objects/names.h"
#include "manifest/object_writer.h"

namespace slaq::kube::objects {
namespace {

using json::assign;
using json::at;
using json::objectAt;
using json::parseJson;
using json::stringAt;

using rapidjson::Value;
using Allocator = rapidjson::Document::AllocatorType;

constexpr const char* kIndexAnnotation = "metadata.annotations['batch.kubernetes.io/job-completion-index']";

void assignText(Value& object, const char* key, std::string_view text, Allocator& allocator) {
  assign(object, key, Value(text.data(), static_cast<rapidjson::SizeType>(text.size()), allocator),
         allocator);
}

Value variable(const char* name, const std::string& value, Allocator& allocator) {
  return manifest::ObjectWriter(allocator).add("name", name).add("value", value).take();
}

Value indexVariable(Allocator& allocator) {
  Value field = manifest::ObjectWriter(allocator).add("fieldPath", kIndexAnnotation).take();
  return manifest::ObjectWriter(allocator)
      .add("name", "SLAQ_WORKER_INDEX")
      .add("valueFrom", manifest::ObjectWriter(allocator).add("fieldRef", std::move(field)).take())
      .take();
}

std::vector<Value> trainersEnvironment(const TrainingJob& job, Role role, Allocator& allocator) {
  const auto& spec = job.spec;
  const std::string address = chiefHost(job) + ":" + std::to_string(driverPort(spec));
  std::vector<Value> out;
  out.push_back(variable("SLAQ_JOB", job.key.name, allocator));
  out.push_back(variable("SLAQ_JOB_UID", job.uid, allocator));
  out.push_back(variable("SLAQ_NAMESPACE", job.key.ns, allocator));
  out.push_back(variable("SLAQ_DRIVER_ADDRESS", address, allocator));
  out.push_back(variable("SLAQ_METRICS_PORT", std::to_string(metricsPort(spec)), allocator));
  out.push_back(variable("SLAQ_WORKERS_MIN", std::to_string(spec.workers.min.value()), allocator));
  out.push_back(variable("SLAQ_WORKERS_MAX", std::to_string(spec.workers.max.value()), allocator));
  if (role == Role::Workers) out.push_back(indexVariable(allocator));
  return out;
}

// slaq's variables come first, so that the user's can refer to them. A variable that the user defines
// replaces slaq's.
void addEnvironment(Value& container, const TrainingJob& job, Role role, Allocator& allocator) {
  if (!container.IsObject()) return;
  Value own(rapidjson::kArrayType);
  if (const auto* found = at(container, {"env"}); found && found->IsArray()) own.CopyFrom(*found, allocator);
  std::set<std::string> taken;
  for (const auto& each : own.GetArray()) taken.insert(stringAt(each, {"name"}));
  Value all(rapidjson::kArrayType);
  for (auto& each : trainersEnvironment(job, role, allocator)) {
    if (!taken.contains(stringAt(each, {"name"}))) all.PushBack(std::move(each), allocator);
  }
  for (auto& each : own.GetArray()) all.PushBack(std::move(each), allocator);
  assign(container, "env", std::move(all), allocator);
}

void addEnvironments(Value& podSpec, const char* containers, const TrainingJob& job, Role role,
                     Allocator& allocator) {
  const auto found = podSpec.FindMember(containers);
  if (found == podSpec.MemberEnd() || !found->value.IsArray()) return;
  for (auto& container : found->value.GetArray()) addEnvironment(container, job, role, allocator);
}

}  // namespace

Value ownersLabels(const TrainingJob& job, Role role, Allocator& allocator) {
  return manifest::ObjectWriter(allocator)
      .add(kJobLabel, job.key.name)
      .add(kRoleLabel, name(role))
      .add(kUidLabel, job.uid)
      .take();
}

Value podTemplate(const TrainingJob& job, Role role, Allocator& allocator) {
  const PodTemplate& pod = role == Role::Driver ? *job.spec.driver : job.spec.workers.pod;
  const auto document = parseJson(pod.document);
  Value out(rapidjson::kObjectType);
  if (!document.HasParseError() && document.IsObject()) out.CopyFrom(document, allocator);
  Value& labels = objectAt(objectAt(out, "metadata", allocator), "labels", allocator);
  assignText(labels, kJobLabel, std::string_view(job.key.name), allocator);
  assignText(labels, kRoleLabel, name(role), allocator);
  assignText(labels, kUidLabel, std::string_view(job.uid), allocator);
  Value& spec = objectAt(out, "spec", allocator);
  assignText(spec, "restartPolicy", std::string_view("Never"), allocator);
  assignText(spec, "subdomain", std::string_view(job.key.name), allocator);
  addEnvironments(spec, "initContainers", job, role, allocator);
  addEnvironments(spec, "containers", job, role, allocator);
  return out;
}

}  // namespace slaq::kube::objects
