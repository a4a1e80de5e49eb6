#include "kube/targets/paths.h"

#include <rapidjson/pointer.h>

#include "kube/json/json_fields.h"

namespace slaq::kube::targets {
namespace {

using rapidjson::Value;

// A path that leads through a list.
struct ListPath {
  std::string list;   // the pointer to the list
  std::string field;  // of an element: the name of its group
  std::string rest;   // the path from the element on
};

std::optional<ListPath> listPathOf(const std::string& path) {
  const auto begin = path.find("/[");
  const auto end = path.find(']', begin == std::string::npos ? 0 : begin);
  if (begin == std::string::npos || end == std::string::npos) return std::nullopt;
  return ListPath{path.substr(0, begin), path.substr(begin + 2, end - begin - 2), path.substr(end + 1)};
}

const Value* get(const Value& object, const std::string& pointer) {
  return rapidjson::Pointer(pointer.data(), pointer.size()).Get(object);
}

}  // namespace

std::vector<std::string> groupsAt(const Value& object, const std::string& path) {
  const auto through = listPathOf(path);
  if (!through) return {""};
  std::vector<std::string> groups;
  const Value* list = get(object, through->list);
  if (!list || !list->IsArray()) return groups;
  for (const auto& each : list->GetArray()) groups.push_back(json::stringAt(each, {through->field}));
  return groups;
}

std::string pointerTo(const Value& object, const std::string& path, const std::string& group) {
  const auto through = listPathOf(path);
  if (!through) return path;
  const Value* list = get(object, through->list);
  if (!list || !list->IsArray()) return {};
  for (rapidjson::SizeType i = 0; i < list->Size(); ++i) {
    if (json::stringAt((*list)[i], {through->field}) == group)
      return through->list + "/" + std::to_string(i) + through->rest;
  }
  return {};
}

const Value* valueAt(const Value& object, const std::string& path, const std::string& group) {
  const std::string pointer = pointerTo(object, path, group);
  return pointer.empty() ? nullptr : get(object, pointer);
}

std::optional<Workers> workersAt(const Value& object, const std::string& path, const std::string& group) {
  const auto* found = valueAt(object, path, group);
  return found && found->IsInt() ? std::optional(Workers(found->GetInt())) : std::nullopt;
}

}  // namespace slaq::kube::targets
