#include "manifest/pod_reader.h"

#include <rapidjson/pointer.h>

#include <algorithm>

#include "manifest/object_writer.h"
#include "yaml/value.h"

namespace slaq::manifest {
namespace {

void readEnvironment(ObjectReader& variable, Container& into) {
  std::string name;
  variable.read("name", name);
  if (variable.find("valueFrom")) return;  // only the cluster can resolve it
  std::string value;
  variable.read("value", value);
  if (!name.empty()) into.environment.emplace_back(name, value);
}

void readPort(ObjectReader& port, Container& into) {
  ContainerPort read;
  port.read("name", read.name);
  port.read("containerPort", read.port);
  into.ports.push_back(std::move(read));
}

void readGpuMemory(ObjectReader& limits, std::optional<Mebibytes>& into) {
  const auto* found = limits.find(kGpuMemory);
  if (!found) return;
  const auto amount = yaml::readQuantity(*found);
  if (!amount || *amount < 1 || *amount > 1e7)
    return limits.refuse(kGpuMemory, "must be a number of mebibytes, such as 20480");
  into = Mebibytes(static_cast<std::int64_t>(*amount));
}

void readContainer(ObjectReader& container, std::string_view resource, Container& into) {
  container.read("name", into.name);
  container.read("image", into.image);
  container.read("command", into.command);
  container.read("args", into.args);
  container.read("workingDir", into.workingDirectory);
  container.readObjects("env", [&](ObjectReader& variable) { readEnvironment(variable, into); });
  container.readObjects("ports", [&](ObjectReader& port) { readPort(port, into); });
  container.readObject("resources", [&](ObjectReader& resources) {
    resources.readObject("requests",
                         [&](ObjectReader& requests) { readCores(requests, resource, into.request); });
    resources.readObject("limits", [&](ObjectReader& limits) {
      readCores(limits, resource, into.limit);
      readGpuMemory(limits, into.gpuMemory);
    });
  });
}

constexpr const char* kCpu = "cpu";

// The resources that the object of requests or limits at `path` names.
void addNames(const rapidjson::Value& container, const char* path, std::vector<std::string>& names) {
  const auto* list = rapidjson::Pointer(path).Get(container);
  if (!list || !list->IsObject()) return;
  for (const auto& [name, quantity] : list->GetObject()) names.emplace_back(name.GetString());
}

constexpr int kDeepestTemplate = 64;

bool isDeeperThan(int levels, const rapidjson::Value& value) {
  if (!value.IsObject() && !value.IsArray()) return false;
  if (levels == 0) return true;
  const auto isDeep = [&](const rapidjson::Value& each) { return isDeeperThan(levels - 1, each); };
  if (value.IsArray()) return std::any_of(value.Begin(), value.End(), isDeep);
  return std::any_of(value.MemberBegin(), value.MemberEnd(),
                     [&](const auto& member) { return isDeep(member.value); });
}

}  // namespace

void readCores(ObjectReader& object, std::string_view key, std::optional<Cores>& into) {
  const auto* found = object.find(key);
  if (!found) return;
  const auto cores = yaml::readCores(*found);
  if (!cores) return object.refuse(key, cores.error().message);
  into = *cores;
}

void readPodTemplate(ObjectReader& parent, std::string_view key, std::string_view resource,
                     PodTemplate& into) {
  const auto* found = parent.require(key, "a pod template, such as {spec: {containers: [...]}}");
  if (!found) return;
  // Writing is recursive, and so is reading in most places that get the template.
  if (isDeeperThan(kDeepestTemplate, *found))
    return parent.refuse(key,
                         "must be nested no deeper than " + std::to_string(kDeepestTemplate) + " levels");
  if (found->IsObject()) into.document = toText(*found);
  parent.readObject(key, [&](ObjectReader& pod) {
    if (!pod.require("spec", "the pod's spec, such as {containers: [...]}")) return;
    pod.readObject("spec", [&](ObjectReader& spec) {
      spec.readObjects("containers", [&](ObjectReader& container) {
        readContainer(container, resource, into.containers.emplace_back());
      });
    });
  });
}

std::string resourceIn(const rapidjson::Value& trainingJob) {
  const auto* containers = rapidjson::Pointer("/spec/workers/template/spec/containers").Get(trainingJob);
  if (!containers || !containers->IsArray()) return kCpu;
  std::vector<std::string> names;
  for (const auto& container : containers->GetArray()) {
    addNames(container, "/resources/requests", names);
    addNames(container, "/resources/limits", names);
  }
  const auto extended = std::ranges::find_if(
      names, [](const auto& name) { return name.find('/') != name.npos && name != kGpuMemory; });
  return std::ranges::find(names, kCpu) != names.end() || extended == names.end() ? kCpu : *extended;
}

}  // namespace slaq::manifest
