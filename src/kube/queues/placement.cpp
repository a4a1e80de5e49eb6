#include "kube/queues/placement.h"

#include "kube/json/json_fields.h"
#include "manifest/object_writer.h"

namespace slaq::kube::queues {
namespace {

using rapidjson::Value;
using Allocator = rapidjson::Document::AllocatorType;

void addMissing(Value& to, const std::string& key, const std::string& value, Allocator& allocator) {
  if (to.FindMember(key.c_str()) != to.MemberEnd()) return;
  to.AddMember(Value(key.c_str(), allocator), Value(value.c_str(), allocator), allocator);
}

void addMissing(Value& to, const Value& more, const char* field, Allocator& allocator) {
  const auto* all = json::at(more, {field});
  if (!all || !all->IsObject()) return;
  for (const auto& [key, value] : all->GetObject())
    if (value.IsString()) addMissing(to, key.GetString(), value.GetString(), allocator);
}

void addTolerations(Value& podSpec, const Value& more, Allocator& allocator) {
  if (!more.IsArray() || more.Empty()) return;
  const auto* known = json::at(podSpec, {"tolerations"});
  Value all(rapidjson::kArrayType);
  if (known && known->IsArray()) all.CopyFrom(*known, allocator);
  for (const auto& each : more.GetArray()) all.PushBack(Value(each, allocator), allocator);
  json::assign(podSpec, "tolerations", std::move(all), allocator);
}

}  // namespace

std::string placedTemplate(const std::string& document, const std::vector<const ResourceFlavor*>& flavors,
                           const std::string& podSet, const std::string& podSetUpdates) {
  rapidjson::Document pod = json::parseJson(document);
  if (pod.HasParseError() || !pod.IsObject()) return document;
  auto& allocator = pod.GetAllocator();
  Value& spec = json::objectAt(pod, "spec", allocator);
  for (const auto* flavor : flavors) {
    if (!flavor->nodeLabels.empty()) {
      Value& selector = json::objectAt(spec, "nodeSelector", allocator);
      for (const auto& [key, value] : flavor->nodeLabels) addMissing(selector, key, value, allocator);
    }
    addTolerations(spec, json::parseJson(flavor->tolerations), allocator);
  }
  const auto updates = json::parseJson(podSetUpdates);
  for (const auto& each : json::elementsAt(updates, {})) {
    if (json::stringAt(each, {"name"}) != podSet) continue;
    Value& metadata = json::objectAt(pod, "metadata", allocator);
    addMissing(json::objectAt(metadata, "labels", allocator), each, "labels", allocator);
    addMissing(json::objectAt(metadata, "annotations", allocator), each, "annotations", allocator);
    addMissing(json::objectAt(spec, "nodeSelector", allocator), each, "nodeSelector", allocator);
    if (const auto* more = json::at(each, {"tolerations"})) addTolerations(spec, *more, allocator);
  }
  return manifest::toText(pod);
}

}  // namespace slaq::kube::queues
