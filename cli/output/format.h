// The flag --output for a command's format, as in kubectl.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace slaq::cli::output {

inline constexpr const char* kText = "text";  // for people
inline constexpr const char* kWide = "wide";  // for people, with nothing left out
inline constexpr const char* kJson = "json";
inline constexpr const char* kYaml = "yaml";

// True for text and wide.
bool isForPeople(const std::string& format);

// `format` has its default; `more` are formats besides text, json and yaml.
void addOutputFlag(CLI::App& command, std::string& format, const std::vector<std::string>& more = {});

// Returns the JSON text in the format, which is json or yaml.
std::string inFormat(const std::string& json, const std::string& format);

}  // namespace slaq::cli::output
