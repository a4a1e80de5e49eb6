// Reads a kubeconfig as kubectl does.
#pragma once

#include <string>

#include "base/clock.h"
#include "base/result.h"
#include "kube/auth/credentials.h"

namespace slaq::kube::auth {

// The access of one context of the file; an empty `context` means the current one.
Result<Access> kubeconfigAccess(const std::string& file, const std::string& context, const Clock& clock);

}  // namespace slaq::kube::auth
