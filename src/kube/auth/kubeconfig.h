// Reads a kubeconfig as kubectl does.
#pragma once

#include <string>

#include "base/clock.h"
#include "base/result.h"
#include "kube/auth/credentials.h"

namespace slaq::kube::auth {

// From a kubeconfig file's context, the current one if `context` is empty.
Result<Access> kubeconfigAccess(const std::string& file, const std::string& context, const Clock& clock);

}  // namespace slaq::kube::auth
