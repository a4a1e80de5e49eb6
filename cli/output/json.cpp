#include "cli/output/json.h"

#include <rapidjson/prettywriter.h>
#include <rapidjson/stringbuffer.h>

#include <cmath>

namespace slaq::cli::output {

void addNumber(manifest::ObjectWriter& object, const char* key, std::optional<double> value) {
  if (value && std::isfinite(*value)) object.add(key, rapidjson::Value(*value));
}

std::string indented(const rapidjson::Value& value) {
  rapidjson::StringBuffer buffer;
  rapidjson::PrettyWriter<rapidjson::StringBuffer> writer(buffer);
  writer.SetIndent(' ', 2);
  value.Accept(writer);
  return std::string(buffer.GetString(), buffer.GetSize()) + "\n";
}

}  // namespace slaq::cli::output
