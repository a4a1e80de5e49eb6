#include "cli/submit/submission.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "cli/flags/cluster_flags.h"
#include "job/loss_from.h"
#include "kube/json/json_fields.h"
#include "kube/json/metadata.h"
#include "local/cluster/check_local.h"
#include "manifest/manifest.h"
#include "manifest/object_writer.h"
#include "yaml/read_yaml.h"

namespace slaq::cli::submit {
namespace {

using kube::json::stringAt;
using Allocator = rapidjson::Document::AllocatorType;

constexpr const char* kVariables[] = {"PATH", "VIRTUAL_ENV", "CONDA_PREFIX", "LD_LIBRARY_PATH", "PYTHONPATH"};

rapidjson::Value textValue(const std::string& text, Allocator& allocator) {
  return {text.data(), static_cast<rapidjson::SizeType>(text.size()), allocator};
}

// The list under `key`, which is added if it is missing. REQUIRES: the document keeps the rules of manifests.
rapidjson::Value& listAt(rapidjson::Value& object, const char* key, Allocator& allocator) {
  const auto member = object.FindMember(key);
  if (member != object.MemberEnd() && member->value.IsArray()) return member->value;
  kube::json::assign(object, key, rapidjson::Value(rapidjson::kArrayType), allocator);
  return object[key];
}

void fill(rapidjson::Value& container, const Caller& caller, Allocator& allocator) {
  if (stringAt(container, {"workingDir"}).empty())
    kube::json::assign(container, "workingDir", textValue(caller.directory, allocator), allocator);
  auto& variables = listAt(container, "env", allocator);
  for (const auto& [name, value] : caller.environment) {
    const bool isNamed = std::ranges::any_of(
        variables.GetArray(), [&](const auto& each) { return stringAt(each, {"name"}) == name; });
    if (isNamed) continue;
    variables.PushBack(
        manifest::ObjectWriter(allocator).add("name", name).add("value", withoutExpansion(value)).take(),
        allocator);
  }
}

// `role`: "workers" or "driver".
void fillContainers(rapidjson::Document& document, const char* role, const Caller& caller) {
  const auto* found = kube::json::at(document, {"spec", role, "template", "spec", "containers"});
  if (!found || !found->IsArray()) return;
  auto& containers = document["spec"][role]["template"]["spec"]["containers"];
  for (auto& container : containers.GetArray()) {
    if (container.IsObject()) fill(container, caller, document.GetAllocator());
  }
}

}  // namespace

Caller thisCaller() {
  Caller caller;
  std::error_code ignored;
  caller.directory = std::filesystem::current_path(ignored).string();
  for (const char* name : kVariables) {
    if (const char* value = std::getenv(name); value != nullptr && *value != 0)
      caller.environment.emplace(name, value);
  }
  return caller;
}

Submission::Submission(rapidjson::Document document, const std::string& ns, const Caller& caller)
    : document_(std::move(document)), key_(kube::json::keyOf(document_)) {
  auto& allocator = document_.GetAllocator();
  if (key_.ns.empty()) key_.ns = ns;
  kube::json::assign(kube::json::objectAt(document_, "metadata", allocator), "namespace",
                     textValue(key_.ns, allocator), allocator);
  for (const char* role : {"workers", "driver"}) fillContainers(document_, role, caller);
}

void Submission::rename(const std::string& name) {
  key_.name = name;
  auto& allocator = document_.GetAllocator();
  kube::json::assign(document_["metadata"], "name", textValue(name, allocator), allocator);
}

std::string Submission::text() const { return manifest::toText(document_); }

Result<std::vector<Submission>> submissionsIn(const std::string& name, const std::string& manifest,
                                              const std::string& ns, const Caller& caller) {
  const auto checked = manifest::readManifest(name, manifest, "", [](const TrainingJob& job) {
    return local::cluster::checkLocal(job, {.hasGpus = true, .mayResume = true});  // the server checks GPUs
  });
  if (!checked) return failure(checked.error());
  auto documents = yaml::readYaml(name, manifest);
  if (!documents) return failure(documents.error());
  std::vector<Submission> submissions;
  auto job = checked->begin();
  for (auto& document : *documents) {
    if (stringAt(document.value, {"kind"}) != "TrainingJob") continue;
    const std::string own = kube::json::keyOf(document.value).ns;
    if (!ns.empty() && !own.empty() && own != ns)
      return failure(ErrorKind::Invalid, yaml::describe(document, "metadata.namespace",
                                                        "is " + own + ", and --namespace says " + ns));
    submissions.emplace_back(std::move(document.value), ns.empty() ? flags::kServedNamespace : ns, caller);
    if (submissions.back().key().name.empty()) submissions.back().rename(job->key.name);  // by generateName
    ++job;
  }
  return submissions;
}

std::string freeName(const std::string& name, const std::vector<std::string>& taken) {
  for (int number = 2;; ++number) {
    std::string numbered = name + "-" + std::to_string(number);
    if (std::ranges::find(taken, numbered) == taken.end()) return numbered;
  }
}

}  // namespace slaq::cli::submit
