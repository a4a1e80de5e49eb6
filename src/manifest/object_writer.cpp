#include "manifest/object_writer.h"

#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <cmath>

namespace slaq::manifest {

ObjectWriter& ObjectWriter::add(const char* key, std::string_view text) {
  return add(key, rapidjson::Value(text.data(), static_cast<rapidjson::SizeType>(text.size()), allocator_));
}

ObjectWriter& ObjectWriter::add(const char* key, rapidjson::Value value) {
  object_.AddMember(rapidjson::StringRef(key), std::move(value), allocator_);
  return *this;
}

ObjectWriter& ObjectWriter::addNumber(const char* key, std::optional<double> value) {
  return value && std::isfinite(*value) ? add(key, rapidjson::Value(*value)) : *this;
}

std::string toText(const rapidjson::Value& value) {
  rapidjson::StringBuffer buffer;
  rapidjson::Writer<rapidjson::StringBuffer> writer(buffer);
  value.Accept(writer);
  return {buffer.GetString(), buffer.GetSize()};
}

}  // namespace slaq::manifest
