// JSON that commands print for scripts.
#pragma once

#include <rapidjson/document.h>

#include <string>

namespace slaq::cli::output {

// The value as indented JSON, with a newline at its end.
std::string indented(const rapidjson::Value& value);

}  // namespace slaq::cli::output
