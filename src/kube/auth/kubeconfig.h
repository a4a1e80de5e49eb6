// Reads a kubeconfig as kubectl does.
#pragma once

#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "kube/auth/credentials.h"

namespace slaq::kube::auth {

// The access of one context of the file; an empty `context` means the current one.
Result<Access> kubeconfigAccess(const std::string& file, const std::string& context, const Clock& clock);

// The access of one context of several files. A cluster, a user, a context or the current context counts from
// the first file that has it. Missing files are left out if at least one file exists. REQUIRES: at least one
// name.
Result<Access> kubeconfigAccess(const std::vector<std::string>& files, const std::string& context,
                                const Clock& clock);

}  // namespace slaq::kube::auth
