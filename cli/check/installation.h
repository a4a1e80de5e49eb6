// Finds the controller that is installed on a cluster.
#pragma once

#include <string>

#include "cli/check/observed.h"
#include "kube/client/api.h"

namespace slaq::cli::check {

// Which one is meant; what is empty may be any.
struct WhichInstallation {
  std::string ns;
  std::string release;  // Helm's
};

// NotFound: there is none; Invalid: there are several.
Result<Installation> readInstallation(kube::client::Api& api, const WhichInstallation& which);

// Its configuration, as it is written.
Result<std::string> readConfigurationText(kube::client::Api& api, const Installation& installation);

}  // namespace slaq::cli::check
