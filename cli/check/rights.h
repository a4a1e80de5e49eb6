// The rights that the controller needs. They are exactly those that the chart's roles give. And reviews, by
// which the API server says whether a service account has a right.
#pragma once

#include <string>
#include <vector>

#include "cli/check/observed.h"
#include "kube/client/api.h"

namespace slaq::cli::check {

// `ns` is the controller's namespace.
std::vector<Right> neededRights(const config::Configuration& configuration, const std::string& ns);

// True if the service account has the right, as the API server answers a review.
Result<bool> isAllowed(kube::client::Api& api, const Right& right, const std::string& ns,
                       const std::string& serviceAccount);

// Reviews all rights that the controller needs.
ReviewedRights readRights(kube::client::Api& api, const config::Configuration& configuration,
                          const Installation& who);

// "patch pods/resize", "get configmaps slaq-controller-kinds in slaq-system".
std::string toString(const Right& right);

}  // namespace slaq::cli::check
