// Finds the controller that is installed on a cluster.
#pragma once

#include <string>

#include "cli/check/observed.h"
#include "kube/client/api.h"

namespace slaq::cli::check {

// The one in that namespace, or in any where it is empty. NotFound: there is none; Invalid: there are
// several.
Result<Installation> readInstallation(kube::client::Api& api, const std::string& operatorNamespace);

// Its configuration, as it is written.
Result<std::string> readConfigurationText(kube::client::Api& api, const Installation& installation);

}  // namespace slaq::cli::check
