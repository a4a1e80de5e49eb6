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

// Of several files, of which the first that has a cluster, a user, a context or a current context counts.
// Those that can't be read are left out as long as one can. REQUIRES: at least one.
Result<Access> kubeconfigAccess(const std::vector<std::string>& files, const std::string& context,
                                const Clock& clock);

}  // namespace slaq::kube::auth
