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

// A list separated by colons, as PATH is.
std::vector<std::string> filesIn(const std::string& list) {
  std::vector<std::string> files;
  std::istringstream names(list);
  for (std::string name; std::getline(names, name, ':');) {
    if (!name.empty()) files.push_back(name);
  }
  return files;
}

// Empty if there is no such file.
std::string homeKubeconfigThatIsThere() {
  std::string home = homeKubeconfig();
  std::error_code unreadable;
  return !home.empty() && std::filesystem::exists(home, unreadable) ? home : "";
}

bool isInPod() { return !http::processEnvironment("KUBERNETES_SERVICE_HOST").empty(); }

}  // namespace

bool hasDefaultAccess() {
  return !filesIn(http::processEnvironment("KUBECONFIG")).empty() || !homeKubeconfigThatIsThere().empty() ||
         isInPod();
}

Result<Access> defaultAccess(const Clock& clock, const std::string& context) {
  const auto named = filesIn(http::processEnvironment("KUBECONFIG"));
  if (!named.empty()) return kubeconfigAccess(named, context, clock);
  const std::string home = homeKubeconfigThatIsThere();
  if (!home.empty()) return kubeconfigAccess(home, context, clock);
  if (context.empty() && isInPod()) return inClusterAccess(clock);
  return failure(ErrorKind::NotFound,
                 "there is no kubeconfig: KUBECONFIG is not set and there is no ~/.kube/config; "
                 "name one with --kubeconfig");
}

}  // namespace slaq::kube::auth
