// Reads the controller's configuration: one YAML file, read strictly and checked once. An unknown key or a
// bad value is an error with its line and what to write instead.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "config/configuration.h"

namespace slaq::config {

// Invalid (or Malformed, where it isn't YAML) with one line per mistake, in the order of the file:
// "FILE:LINE: resize.growSeconds: must be a number from 0 to 3600".
Result<Configuration> readConfiguration(const std::string& file, std::string_view text);

// Warnings, a sentence each, about settings that are valid but probably not meant.
std::vector<std::string> hintsOn(const Configuration& configuration);

}  // namespace slaq::config
