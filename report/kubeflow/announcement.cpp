#include "report/kubeflow/announcement.h"

#include <cstdlib>

namespace slaq::report {
namespace {

bool hasProxy() { return std::getenv("http_proxy") != nullptr || std::getenv("HTTP_PROXY") != nullptr; }

// Excepts the loopback address from proxies, which can't reach it. "*" excepts all addresses already.
void exceptLoopback(const char* variable) {
  const char* before = std::getenv(variable);
  if (before == nullptr || std::string(before) == "*") return;
  const std::string others = before;
  ::setenv(variable, (others + (others.empty() ? "" : ",") + "127.0.0.1,::1").c_str(), 1);
}

}  // namespace

void announce(const std::string& url, const std::string& tokenFile) {
  ::setenv("KUBEFLOW_TRAINER_SERVER_URL", url.c_str(), 1);
  ::setenv("KUBEFLOW_TRAINER_SERVER_TOKEN", tokenFile.c_str(), 1);
  ::unsetenv("KUBEFLOW_TRAINER_SERVER_CA_CERT");
  if (!hasProxy()) return;
  if (std::getenv("NO_PROXY") == nullptr) ::setenv("no_proxy", "", 0);
  for (const char* variable : {"no_proxy", "NO_PROXY"}) exceptLoopback(variable);
}

}  // namespace slaq::report
