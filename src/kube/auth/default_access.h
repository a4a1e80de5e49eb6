// Chooses between a kubeconfig and the service account of a pod, as kubectl does.
#pragma once

#include <string>

#include "base/clock.h"
#include "base/result.h"
#include "kube/auth/credentials.h"

namespace slaq::kube::auth {

// $KUBECONFIG or ~/.kube/config where they exist, else in-cluster: what kubectl would use, first. A context
// can only be named where there is a kubeconfig.
Result<Access> defaultAccess(const Clock& clock, const std::string& context = "");

}  // namespace slaq::kube::auth
