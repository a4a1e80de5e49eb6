// A JSON object under construction, field by field, in the types of the domain.
#pragma once

#include <rapidjson/document.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/units.h"

namespace slaq::manifest {

class ObjectWriter {
 public:
  using Allocator = rapidjson::Document::AllocatorType;

  // REQUIRES: keys are literals, or outlive the document.
  explicit ObjectWriter(Allocator& allocator) : allocator_(allocator) {}

  ObjectWriter& add(const char* key, std::string_view text);
  ObjectWriter& add(const char* key, const char* text) { return add(key, std::string_view(text)); }
  ObjectWriter& add(const char* key, const std::string& text) { return add(key, std::string_view(text)); }
  ObjectWriter& add(const char* key, std::int64_t number) { return add(key, rapidjson::Value(number)); }
  ObjectWriter& add(const char* key, int number) { return add(key, std::int64_t{number}); }
  ObjectWriter& add(const char* key, bool yes) { return add(key, rapidjson::Value(yes)); }
  ObjectWriter& add(const char* key, Workers count) { return add(key, std::int64_t{count.value()}); }
  ObjectWriter& add(const char* key, Time time) { return add(key, toRfc3339(time)); }
  // A decimal, as a string.
  ObjectWriter& add(const char* key, double decimal) { return add(key, toDecimal(decimal)); }
  ObjectWriter& add(const char* key, rapidjson::Value value);
  // A number as JSON has it, unless it is not known or not finite.
  ObjectWriter& addNumber(const char* key, std::optional<double> value);

  // The object; the writer is empty afterwards.
  rapidjson::Value take() { return std::move(object_); }

 private:
  Allocator& allocator_;
  rapidjson::Value object_{rapidjson::kObjectType};
};

// The value as compact JSON.
std::string toText(const rapidjson::Value& value);

}  // namespace slaq::manifest
