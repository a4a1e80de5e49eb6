#include "kube/json/json_fields.h"

#include <utility>

namespace slaq::kube::json {

const rapidjson::Value* at(const rapidjson::Value& object, std::initializer_list<std::string_view> path) {
  const rapidjson::Value* value = &object;
  for (const auto key : path) {
    if (!value->IsObject()) return nullptr;
    const rapidjson::Value name(rapidjson::StringRef(key.data(), key.size()));
    const auto member = value->FindMember(name);
    if (member == value->MemberEnd()) return nullptr;
    value = &member->value;
  }
  return value;
}

rapidjson::Value::ConstArray elementsAt(const rapidjson::Value& object,
                                        std::initializer_list<std::string_view> path) {
  static const rapidjson::Value kNone(rapidjson::kArrayType);
  const auto* list = at(object, path);
  return (list && list->IsArray() ? *list : kNone).GetArray();
}

const rapidjson::Value* elementWith(const rapidjson::Value& object,
                                    std::initializer_list<std::string_view> path, std::string_view name,
                                    std::string_view text) {
  for (const auto& each : elementsAt(object, path)) {
    if (stringAt(each, {name}) == text) return &each;
  }
  return nullptr;
}

std::string stringAt(const rapidjson::Value& object, std::initializer_list<std::string_view> path) {
  const auto* value = at(object, path);
  if (!value || !value->IsString()) return {};
  return {value->GetString(), value->GetStringLength()};
}

std::int32_t intAt(const rapidjson::Value& object, std::initializer_list<std::string_view> path) {
  const auto* value = at(object, path);
  return value && value->IsInt() ? value->GetInt() : 0;
}

bool boolAt(const rapidjson::Value& object, std::initializer_list<std::string_view> path) {
  const auto* value = at(object, path);
  return value && value->IsBool() && value->GetBool();
}

std::optional<Time> timeAt(const rapidjson::Value& object, std::initializer_list<std::string_view> path) {
  const auto time = parseRfc3339(stringAt(object, path));
  return time ? std::optional(*time) : std::nullopt;
}

rapidjson::Value& objectAt(rapidjson::Value& parent, const char* key,
                           rapidjson::Document::AllocatorType& allocator) {
  const auto member = parent.FindMember(key);
  if (member != parent.MemberEnd()) {
    if (!member->value.IsObject()) member->value.SetObject();
    return member->value;
  }
  parent.AddMember(rapidjson::StringRef(key), rapidjson::Value(rapidjson::kObjectType), allocator);
  return parent[key];
}

void assign(rapidjson::Value& object, const char* key, rapidjson::Value value,
            rapidjson::Document::AllocatorType& allocator) {
  const auto member = object.FindMember(key);
  if (member != object.MemberEnd()) {
    member->value = std::move(value);
  } else {
    object.AddMember(rapidjson::StringRef(key), std::move(value), allocator);
  }
}

rapidjson::Document parseJson(std::string_view text) {
  rapidjson::Document document;
  // Iterative: a document of any depth does not overflow the stack.
  document.Parse<rapidjson::kParseIterativeFlag>(text.data(), text.size());
  return document;
}

}  // namespace slaq::kube::json
