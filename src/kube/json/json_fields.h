// Reading single fields of the API server's own objects, whose types it guarantees: what is absent or of
// another type reads as empty.
#pragma once

#include <rapidjson/document.h>

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace slaq::kube::json {

// The value at a path of keys, or nullptr.
const rapidjson::Value* at(const rapidjson::Value& object, std::initializer_list<std::string_view> path);

std::string stringAt(const rapidjson::Value& object, std::initializer_list<std::string_view> path);
std::int32_t intAt(const rapidjson::Value& object, std::initializer_list<std::string_view> path);
bool boolAt(const rapidjson::Value& object, std::initializer_list<std::string_view> path);

// The object under `key`, made if it is not there. REQUIRES: `parent` is an object; `key` is a literal.
rapidjson::Value& objectAt(rapidjson::Value& parent, const char* key,
                           rapidjson::Document::AllocatorType& allocator);
// Sets a member where it stands, or adds it. REQUIRES: `object` is an object; `key` is a literal.
void assign(rapidjson::Value& object, const char* key, rapidjson::Value value,
            rapidjson::Document::AllocatorType& allocator);

// Never throws; an object of a parse error is what HasParseError says.
rapidjson::Document parseJson(std::string_view text);

}  // namespace slaq::kube::json
