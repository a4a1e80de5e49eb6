#include "cli/output/json.h"

#include <rapidjson/prettywriter.h>
#include <rapidjson/stringbuffer.h>

namespace slaq::cli::output {

std::string indented(const rapidjson::Value& value) {
  rapidjson::StringBuffer buffer;
  rapidjson::PrettyWriter<rapidjson::StringBuffer> writer(buffer);
  writer.SetIndent(' ', 2);
  value.Accept(writer);
  return std::string(buffer.GetString(), buffer.GetSize()) + "\n";
}

}  // namespace slaq::cli::output
