// A JSON Patch (RFC 6902) under construction: a list of operations on the fields of one object.
#pragma once

#include <rapidjson/document.h>

#include <cstdint>
#include <string>

namespace slaq::manifest {

class JsonPatch {
 public:
  // The API server applies the patch only to the object with this uid and version; to any other it is a
  // Conflict.
  JsonPatch& require(const std::string& uid, const std::string& resourceVersion);
  // Sets the field at this JSON Pointer, whether it is there already or not.
  JsonPatch& set(const std::string& path, const std::string& text);
  JsonPatch& set(const std::string& path, std::int64_t number);
  JsonPatch& set(const std::string& path, const rapidjson::Value& value);
  // REQUIRES: the object has the field.
  JsonPatch& remove(const std::string& path);

  bool empty() const { return steps_.Empty(); }
  std::string text() const;

 private:
  rapidjson::Document steps_{rapidjson::kArrayType};
};

}  // namespace slaq::manifest
