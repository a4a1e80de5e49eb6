#include "cli/output/format.h"

#include <rapidjson/document.h>

#include <CLI/CLI.hpp>

#include "yaml/write_yaml.h"

namespace slaq::cli::output {

bool isForPeople(const std::string& format) { return format == kText || format == kWide; }

void addOutputFlag(CLI::App& command, std::string& format, const std::vector<std::string>& more) {
  std::vector<std::string> formats = {kText, kJson, kYaml};
  formats.insert(formats.end(), more.begin(), more.end());
  command.add_option("-o,--output", format, "how it is printed")
      ->capture_default_str()
      ->check(CLI::IsMember(formats));
}

std::string inFormat(const std::string& json, const std::string& format) {
  if (format != kYaml) return json;
  rapidjson::Document document;
  document.Parse(json.data(), json.size());
  return yaml::writeYaml(document);
}

}  // namespace slaq::cli::output
