#pragma once

#include <rapidjson/document.h>

#include <string>

namespace slaq::yaml {

// The value as a YAML document of block style, with a newline at its end. Texts are quoted, so that none is
// taken for a number, a boolean or null.
std::string writeYaml(const rapidjson::Value& value);

}  // namespace slaq::yaml
