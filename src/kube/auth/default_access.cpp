#include "kube/auth/default_access.h"

#include <filesystem>

#include "kube/auth/files.h"
#include "kube/auth/kubeconfig.h"

namespace slaq::kube::auth {
namespace {

std::string homeKubeconfig() {
  const std::string home = fromEnvironment("HOME");
  return home.empty() ? "" : home + "/.kube/config";
}

}  // namespace

Result<Access> defaultAccess(const Clock& clock, const std::string& context) {
  const std::string named = fromEnvironment("KUBECONFIG");
  if (named.find(':') != std::string::npos) {
    return failure(ErrorKind::Invalid, "KUBECONFIG names more than one file (" + named +
                                           "), and slaq does not merge them; name one with --kubeconfig");
  }
  if (!named.empty()) return kubeconfigAccess(named, context, clock);
  const std::string home = homeKubeconfig();
  std::error_code unreadable;
  if (!home.empty() && std::filesystem::exists(home, unreadable)) {
    return kubeconfigAccess(home, context, clock);
  }
  if (context.empty() && !fromEnvironment("KUBERNETES_SERVICE_HOST").empty()) return inClusterAccess(clock);
  return failure(ErrorKind::NotFound,
                 "there is no kubeconfig: KUBECONFIG is not set and there is no ~/.kube/config; "
                 "name one with --kubeconfig");
}

}  // namespace slaq::kube::auth
