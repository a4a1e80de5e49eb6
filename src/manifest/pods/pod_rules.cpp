#include "manifest/pods/pod_rules.h"

#include <rapidjson/pointer.h>

#include <functional>
#include <map>
#include <set>
#include <string>

#include "yaml/located_document.h"
#include "yaml/value.h"

namespace slaq::manifest::pods {
namespace {

using rapidjson::Value;
using yaml::memberOf;
using Violations = std::vector<Violation>;

std::string textOf(const Value& object, const char* key) {
  const Value* found = memberOf(object, key);
  return found && found->IsString() ? std::string(found->GetString(), found->GetStringLength())
                                    : std::string();
}

using Visit = std::function<void(const Value& element, const std::string& path)>;

void forEach(const Value& object, const std::string& path, const char* list, const Visit& visit) {
  const Value* found = memberOf(object, list);
  if (!found || !found->IsArray()) return;
  for (rapidjson::SizeType i = 0; i < found->Size(); ++i)
    visit((*found)[i], yaml::memberPath(path, list) + "[" + std::to_string(i) + "]");
}

void forEachContainer(const Value& pod, const std::string& path, const Visit& visit) {
  forEach(pod, path, "initContainers", visit);
  forEach(pod, path, "containers", visit);
}

// Adds the text at `key` to those that were there before, or a violation.
void addOnce(const Value& element, const std::string& path, const char* key, std::set<std::string>& before,
             Violations& out) {
  const std::string text = textOf(element, key);
  if (!text.empty() && !before.insert(text).second)
    out.push_back({yaml::memberPath(path, key), "is there twice; give it another one"});
}

void checkNames(const Value& pod, const std::string& path, Violations& out) {
  std::set<std::string> containers, volumes;
  forEachContainer(pod, path, [&](const Value& container, const std::string& at) {
    addOnce(container, at, "name", containers, out);
    std::set<std::string> ports;
    forEach(container, at, "ports",
            [&](const Value& port, const std::string& place) { addOnce(port, place, "name", ports, out); });
  });
  forEach(pod, path, "volumes",
          [&](const Value& volume, const std::string& at) { addOnce(volume, at, "name", volumes, out); });
}

void checkMounts(const Value& pod, const std::string& path, Violations& out) {
  std::set<std::string> volumes;
  forEach(pod, path, "volumes",
          [&](const Value& volume, const std::string&) { volumes.insert(textOf(volume, "name")); });
  forEachContainer(pod, path, [&](const Value& container, const std::string& at) {
    std::set<std::string> paths;
    forEach(container, at, "volumeMounts", [&](const Value& mount, const std::string& place) {
      addOnce(mount, place, "mountPath", paths, out);
      const std::string name = textOf(mount, "name");
      if (!name.empty() && !volumes.contains(name))
        out.push_back(
            {yaml::memberPath(place, "name"), "is none of the pod's volumes; add it to spec.volumes"});
    });
  });
}

// A resource that one container has as a whole, such as a GPU: a limit is its request.
bool isWhole(const std::string& resource) {
  return resource.find('/') != std::string::npos || resource.starts_with("hugepages-");
}

struct Asked {
  std::string resource;
  const Value* request = nullptr;
  const Value* limit = nullptr;
};

void checkAsked(const Asked& asked, const std::string& path, Violations& out) {
  const auto request = asked.request ? yaml::readQuantity(*asked.request) : std::nullopt;
  const auto limit = asked.limit ? yaml::readQuantity(*asked.limit) : std::nullopt;
  const std::string at =
      yaml::memberPath(yaml::memberPath(path, request ? "requests" : "limits"), asked.resource);
  const bool isExtended = asked.resource.find('/') != std::string::npos;
  const auto most = limit ? limit : request;
  if (isExtended && most && *most != static_cast<double>(static_cast<std::int64_t>(*most))) {
    out.push_back({at, "must be a whole number: nobody has a part of a " + asked.resource});
  } else if (isWhole(asked.resource) && request && !limit) {
    out.push_back({at, "must be given as a limit: what can't be shared is requested by its limit"});
  } else if (isWhole(asked.resource) && request && *request != *limit) {
    out.push_back({at, "must be equal to its limit"});
  } else if (request && limit && *request > *limit) {
    out.push_back({at, "must be at most its limit"});
  }
}

void checkResources(const Value& pod, const std::string& path, Violations& out) {
  forEachContainer(pod, path, [&](const Value& container, const std::string& at) {
    const Value* resources = memberOf(container, "resources");
    if (!resources) return;
    std::map<std::string, Asked> all;
    for (const char* list : {"requests", "limits"}) {
      const Value* found = memberOf(*resources, list);
      if (!found || !found->IsObject()) continue;
      for (const auto& [name, quantity] : found->GetObject()) {
        Asked& asked = all[name.GetString()];
        asked.resource = name.GetString();
        (list == std::string_view("requests") ? asked.request : asked.limit) = &quantity;
      }
    }
    for (const auto& [name, asked] : all) checkAsked(asked, yaml::memberPath(at, "resources"), out);
  });
}

void checkHostPorts(const Value& pod, const std::string& path, Violations& out) {
  const Value* hosts = memberOf(pod, "hostNetwork");
  if (!hosts || !hosts->IsBool() || !hosts->GetBool()) return;
  forEachContainer(pod, path, [&](const Value& container, const std::string& at) {
    forEach(container, at, "ports", [&](const Value& port, const std::string& place) {
      const Value *host = memberOf(port, "hostPort"), *own = memberOf(port, "containerPort");
      if (host && own && *host != *own)
        out.push_back(
            {yaml::memberPath(place, "hostPort"), "must be containerPort where hostNetwork is true"});
    });
  });
}

}  // namespace

std::vector<Violation> ruleViolations(const Value& trainingJob) {
  Violations out;
  for (const std::string group : {"workers", "driver"}) {
    const Value* pod = rapidjson::Pointer(("/spec/" + group + "/template/spec").c_str()).Get(trainingJob);
    if (!pod) continue;
    const std::string path = "spec." + group + ".template.spec";
    checkNames(*pod, path, out);
    checkMounts(*pod, path, out);
    checkResources(*pod, path, out);
    checkHostPorts(*pod, path, out);
  }
  return out;
}

}  // namespace slaq::manifest::pods
