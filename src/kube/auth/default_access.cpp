#include "kube/auth/default_access.h"

#include <filesystem>
#include <sstream>
#include <vector>

#include "http/proxy.h"
#include "kube/auth/kubeconfig.h"

namespace slaq::kube::auth {
namespace {

std::string homeKubeconfig() {
  const std::string home = http::processEnvironment("HOME");
  return home.empty() ? "" : home + "/.kube/config";
}

// A list with colons, as PATH is.
std::vector<std::string> filesIn(const std::string& list) {
  std::vector<std::string> files;
  std::istringstream names(list);
  for (std::string name; std::getline(names, name, ':');) {
    if (!name.empty()) files.push_back(name);
  }
  return files;
}

}  // namespace

Result<Access> defaultAccess(const Clock& clock, const std::string& context) {
  const auto named = filesIn(http::processEnvironment("KUBECONFIG"));
  if (!named.empty()) return kubeconfigAccess(named, context, clock);
  const std::string home = homeKubeconfig();
  std::error_code unreadable;
  if (!home.empty() && std::filesystem::exists(home, unreadable)) {
    return kubeconfigAccess(home, context, clock);
  }
  if (context.empty() && !http::processEnvironment("KUBERNETES_SERVICE_HOST").empty())
    return inClusterAccess(clock);
  return failure(ErrorKind::NotFound,
                 "there is no kubeconfig: KUBECONFIG is not set and there is no ~/.kube/config; "
                 "name one with --kubeconfig");
}

}  // namespace slaq::kube::auth
