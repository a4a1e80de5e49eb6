// JSON that commands print for scripts.
#pragma once

#include <rapidjson/document.h>

#include <optional>
#include <string>

#include "manifest/object_writer.h"

namespace slaq::cli::output {

// Adds a number, unless it is not known or no finite number.
void addNumber(manifest::ObjectWriter& object, const char* key, std::optional<double> value);

// The value as indented JSON, with a newline at its end.
std::string indented(const rapidjson::Value& value);

}  // namespace slaq::cli::output
