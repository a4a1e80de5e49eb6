#include "manifest/json_patch.h"

#include "manifest/object_writer.h"

namespace slaq::manifest {

// The API server does not change a uid or a version, so that setting another one is a conflict.
JsonPatch& JsonPatch::require(const std::string& uid, const std::string& resourceVersion) {
  return set("/metadata/uid", uid).set("/metadata/resourceVersion", resourceVersion);
}

JsonPatch& JsonPatch::set(const std::string& path, const std::string& text) {
  return set(path, rapidjson::Value(text.c_str(), steps_.GetAllocator()));
}

JsonPatch& JsonPatch::set(const std::string& path, std::int64_t number) {
  return set(path, rapidjson::Value(number));
}

JsonPatch& JsonPatch::set(const std::string& path, const rapidjson::Value& value) {
  auto& allocator = steps_.GetAllocator();
  steps_.PushBack(ObjectWriter(allocator)
                      .add("op", "add")
                      .add("path", path)
                      .add("value", rapidjson::Value(value, allocator))
                      .take(),
                  allocator);
  return *this;
}

JsonPatch& JsonPatch::remove(const std::string& path) {
  auto& allocator = steps_.GetAllocator();
  steps_.PushBack(ObjectWriter(allocator).add("op", "remove").add("path", path).take(), allocator);
  return *this;
}

std::string JsonPatch::text() const { return toText(steps_); }

}  // namespace slaq::manifest
