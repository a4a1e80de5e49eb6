// The rights that the controller needs: exactly those that the chart's roles give.
#pragma once

#include <string>
#include <vector>

#include "cli/check/observed.h"

namespace slaq::cli::check {

// `ns` is the controller's namespace.
std::vector<Right> neededRights(const config::Configuration& configuration, const std::string& ns);

// "patch pods/resize", "get configmaps slaq-controller-kinds in slaq-system".
std::string toString(const Right& right);

}  // namespace slaq::cli::check
