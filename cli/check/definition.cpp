#include "cli/check/definition.h"

#include <rapidjson/pointer.h>

#include <stdexcept>

#include "kube/json/json_fields.h"
#include "yaml/read_yaml.h"

namespace slaq::cli::check {

extern const char* const kOwnDefinition;  // charts/slaq/files/slaq.io_trainingjobs.yaml

namespace {

using kube::json::at;
using rapidjson::Value;

// The schema of a list's elements; for another schema the schema itself.
const Value& element(const Value& schema) {
  const auto* items = at(schema, {"items"});
  return items ? *items : schema;
}

void compare(const Value& own, const Value& other, const std::string& path,
             std::vector<std::string>& missing) {
  const auto* fields = at(element(own), {"properties"});
  if (!fields) return;
  for (const auto& [key, schema] : fields->GetObject()) {
    const std::string field = path + (path.empty() ? "" : ".") + key.GetString();
    const auto* there = at(element(other), {"properties", key.GetString()});
    if (!there) {
      missing.push_back(field);
    } else {
      compare(schema, *there, field, missing);
    }
  }
}

}  // namespace

std::vector<std::string> missingFields(const Value& schema) {
  const auto documents = yaml::readYaml("the definition of TrainingJobs", kOwnDefinition);
  if (!documents) throw std::logic_error(documents.error().message);
  const auto* version = rapidjson::Pointer("/spec/versions/0/schema/openAPIV3Schema")
                            .Get(static_cast<const Value&>(documents->front().value));
  std::vector<std::string> missing;
  compare(*version, schema, "", missing);
  return missing;
}

}  // namespace slaq::cli::check
