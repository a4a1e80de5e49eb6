// Finds the controller that is installed on a cluster.
#pragma once

#include <string>

#include "cli/check/observed.h"
#include "kube/client/api.h"

namespace slaq::cli::check {

// Selects an installation; an empty field matches any.
struct WhichInstallation {
  std::string ns;
  std::string release;  // Helm's
};

// NotFound: there is none; Invalid: there are several.
Result<Installation> readInstallation(kube::client::Api& api, const WhichInstallation& which);

// Returns the text of its configuration.
Result<std::string> readConfigurationText(kube::client::Api& api, const Installation& installation);

}  // namespace slaq::cli::check
