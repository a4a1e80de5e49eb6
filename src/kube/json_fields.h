// Reading single fields of the API server's own objects, whose types it guarantees: what is absent or of
// another type reads as empty.
#pragma once

#include <rapidjson/document.h>

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace slaq::kube {

// The value at a path of keys, or nullptr.
const rapidjson::Value* at(const rapidjson::Value& object, std::initializer_list<std::string_view> path);

std::string stringAt(const rapidjson::Value& object, std::initializer_list<std::string_view> path);
std::int32_t intAt(const rapidjson::Value& object, std::initializer_list<std::string_view> path);
bool boolAt(const rapidjson::Value& object, std::initializer_list<std::string_view> path);

// Never throws; an object of a parse error is what HasParseError says.
rapidjson::Document parseJson(std::string_view text);

}  // namespace slaq::kube
