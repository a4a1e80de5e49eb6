#include "kube/json_fields.h"

namespace slaq::kube {

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

rapidjson::Document parseJson(std::string_view text) {
  rapidjson::Document document;
  // Iterative: a document of any depth does not overflow the stack.
  document.Parse<rapidjson::kParseIterativeFlag>(text.data(), text.size());
  return document;
}

}  // namespace slaq::kube
