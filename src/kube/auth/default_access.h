// Chooses between a kubeconfig and the service account of a pod, as kubectl does.
#pragma once

#include <string>

#include "base/clock.h"
#include "base/result.h"
#include "kube/auth/credentials.h"

namespace slaq::kube::auth {

// Uses the files of $KUBECONFIG, or ~/.kube/config if it exists, as kubectl does. Otherwise it uses the pod's
// service account. `context` can only be given with a kubeconfig.
Result<Access> defaultAccess(const Clock& clock, const std::string& context = "");

// True if there is one of these, valid or not.
bool hasDefaultAccess();

}  // namespace slaq::kube::auth
