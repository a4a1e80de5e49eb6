#include "local/cluster/check_local.h"

#include <rapidjson/document.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "manifest/paths.h"

namespace slaq::local::cluster {
namespace {

using rapidjson::Value;
using Keys = std::vector<std::string_view>;

constexpr const char* kElsewhere =
    "can't be honoured on one machine; leave it out, or run the job on a cluster";

const Keys kPodKeys = {"containers", "restartPolicy", "automountServiceAccountToken", "enableServiceLinks",
                       "securityContext"};
const Keys kContainerKeys = {"name", "image",     "imagePullPolicy", "command",    "args",
                             "env",  "resources", "ports",           "workingDir", "securityContext"};
// The settings that a restricted namespace requires. They bound what a container may do; here a process may
// do what the user may.
const Keys kRestrictions = {"runAsNonRoot", "seccompProfile", "allowPrivilegeEscalation", "capabilities",
                            "readOnlyRootFilesystem"};
const Keys kCapabilityKeys = {"drop"};
const Keys kVariableKeys = {"name", "value"};
const Keys kResourceKeys = {"requests", "limits"};
const Keys kRequestKeys = {"cpu", "memory", "ephemeral-storage"};
// Memory and storage are not bounded here. The limit of a GPU's memory has a meaning where the GPU is shared.
const Keys kLimitKeys = {"cpu", "memory", "ephemeral-storage", kGpuMemory};

class Check {
 public:
  explicit Check(bool hasGpus) : hasGpus_(hasGpus) {}

  std::vector<Violation> take() { return std::move(violations_); }

  void pod(const PodTemplate& pod, const std::string& path) {
    rapidjson::Document document;
    document.Parse<rapidjson::kParseIterativeFlag>(pod.document.data(), pod.document.size());
    if (document.HasParseError()) return;
    if (const Value* spec = member(document, "spec")) podSpec(*spec, path + ".spec");
  }

  void refuse(std::string path, std::string message = kElsewhere) {
    violations_.push_back({std::move(path), std::move(message)});
  }

 private:
  static const Value* member(const Value& object, const char* key) {
    if (!object.IsObject()) return nullptr;
    const auto found = object.FindMember(key);
    return found == object.MemberEnd() || found->value.IsNull() ? nullptr : &found->value;
  }

  void allowOnly(const Value* object, const std::string& path, const Keys& keys) {
    if (object == nullptr || !object->IsObject()) return;
    for (const auto& [key, value] : object->GetObject()) {
      const bool known = std::ranges::find(keys, key.GetString()) != keys.end();
      if (!known && !value.IsNull()) refuse(manifest::pathTo(path, key.GetString()));
    }
  }

  void podSpec(const Value& spec, const std::string& path) {
    allowOnly(&spec, path, kPodKeys);
    securityContext(member(spec, "securityContext"), path + ".securityContext");
    const Value* containers = member(spec, "containers");
    if (containers == nullptr || !containers->IsArray() || containers->Empty()) return;
    container((*containers)[0], path + ".containers[0]");
    if (containers->Size() > 1) refuse(path + ".containers[1]", "is one container too many for one process");
  }

  void container(const Value& container, const std::string& path) {
    allowOnly(&container, path, kContainerKeys);
    securityContext(member(container, "securityContext"), path + ".securityContext");
    const Value* command = member(container, "command");
    if (command == nullptr || !command->IsArray() || command->Empty()) {
      refuse(path + ".command", "is missing; without an image the program must be named here");
    }
    const Value* resources = member(container, "resources");
    allowOnly(resources, path + ".resources", kResourceKeys);
    if (resources != nullptr) {
      quantities(member(*resources, "requests"), path + ".resources.requests", kRequestKeys);
      quantities(member(*resources, "limits"), path + ".resources.limits", kLimitKeys);
    }
    environment(member(container, "env"), path + ".env");
  }

  void quantities(const Value* object, const std::string& path, Keys keys) {
    if (object == nullptr || !object->IsObject()) return;
    if (object->HasMember(kGpu) && !hasGpus_)
      refuse(manifest::pathTo(path, kGpu),
             "needs --gpus, such as --gpus 0,1 or --gpus all; with --share-gpu leave it out");
    keys.emplace_back(kGpu);
    allowOnly(object, path, keys);
  }

  void securityContext(const Value* context, const std::string& path) {
    if (context == nullptr) return;
    allowOnly(context, path, kRestrictions);
    allowOnly(member(*context, "capabilities"), path + ".capabilities", kCapabilityKeys);
  }

  void environment(const Value* variables, const std::string& path) {
    if (variables == nullptr || !variables->IsArray()) return;
    for (rapidjson::SizeType i = 0; i < variables->Size(); ++i) {
      allowOnly(&(*variables)[i], path + "[" + std::to_string(i) + "]", kVariableKeys);
    }
  }

  const bool hasGpus_;
  std::vector<Violation> violations_;
};

}  // namespace

std::vector<Violation> checkLocal(const TrainingJob& job, const LocalPlace& place) {
  Check check(place.hasGpus);
  if (job.spec.suspend && !place.mayResume)
    check.refuse("spec.suspend", "must be false: nobody could resume the job here");
  if (job.spec.replicas == Workers(0) && !place.mayResume)
    check.refuse("spec.replicas", "must not be 0: nobody could resume the job here");
  if (!job.spec.loss.query.empty()) {
    check.refuse(
        "spec.loss.query",
        "needs Prometheus, and here the processes are read; give metric and iterationMetric instead");
  }
  if (job.spec.workers.target)
    check.refuse("spec.workers.targetRef", "names an object of a cluster; give a template instead");
  check.pod(job.spec.workers.pod, "spec.workers.template");
  if (job.spec.driver) check.pod(*job.spec.driver, "spec.driver.template");
  return check.take();
}

Result<void> checkChange(const TrainingJob& job, const JobSpec& spec) {
  const JobSpec& before = job.spec;
  const char* field = before.driver.has_value() != spec.driver.has_value()         ? "driver"
                      : before.workers.scaling != spec.workers.scaling             ? "workers.scaling"
                      : before.loss.from.has_value() != spec.loss.from.has_value() ? "loss.from"
                                                                                   : nullptr;
  if (field == nullptr) return {};
  return failure(
      ErrorKind::Invalid,
      "spec." + std::string(field) + " of " + toString(job.key) +
          " can't be added, removed or changed while the job is there; stop it, and submit it again");
}

}  // namespace slaq::local::cluster
