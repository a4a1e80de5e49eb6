// Reads and writes single fields of the API server's objects. The server guarantees their types, so a field
// that is absent or of another type reads as empty.
#pragma once

#include <rapidjson/document.h>

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "job/job.h"

namespace slaq::kube::json {

// The value at a path of keys, or nullptr.
const rapidjson::Value* at(const rapidjson::Value& object, std::initializer_list<std::string_view> path);

// The elements of the list at a path; none if there is no list.
rapidjson::Value::ConstArray elementsAt(const rapidjson::Value& object,
                                        std::initializer_list<std::string_view> path);

// The element of the list at a path that has this text in its field `name`; nullptr if there is none.
const rapidjson::Value* elementWith(const rapidjson::Value& object,
                                    std::initializer_list<std::string_view> path, std::string_view name,
                                    std::string_view text);

std::string stringAt(const rapidjson::Value& object, std::initializer_list<std::string_view> path);
std::int32_t intAt(const rapidjson::Value& object, std::initializer_list<std::string_view> path);
bool boolAt(const rapidjson::Value& object, std::initializer_list<std::string_view> path);
// A time in the format of metav1.Time or metav1.MicroTime.
std::optional<Time> timeAt(const rapidjson::Value& object, std::initializer_list<std::string_view> path);

// The object under `key`, which is created if it is absent. REQUIRES: `parent` is an object; `key` is a
// literal.
rapidjson::Value& objectAt(rapidjson::Value& parent, const char* key,
                           rapidjson::Document::AllocatorType& allocator);
// Replaces the value of a member, or adds the member. REQUIRES: `object` is an object; `key` is a literal.
void assign(rapidjson::Value& object, const char* key, rapidjson::Value value,
            rapidjson::Document::AllocatorType& allocator);

// Never throws. HasParseError() of the result tells whether the text was JSON.
rapidjson::Document parseJson(std::string_view text);

}  // namespace slaq::kube::json
