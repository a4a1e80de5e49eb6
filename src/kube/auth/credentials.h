// Where the API server is and who we are to it: in a pod by the service account's files, elsewhere by a
// kubeconfig.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "base/clock.h"
#include "base/result.h"
#include "http/client.h"

namespace slaq::kube::auth {

struct Access {
  HttpEndpoint endpoint;
  std::string ns;      // of the pod, or of the kubeconfig's context; "default" if it has none
  std::string caFile;  // where endpoint.caPem came from, if it can change there
  std::function<void()> refresh = [] {};  // reads the token again at its next use
};

// A file's text that may change: read again once a minute, and after `refresh`. What can't be read then
// leaves the last text in use. Any thread may call it.
class RereadFile {
 public:
  RereadFile(std::string path, const Clock& clock);
  std::string text();
  void refresh();

 private:
  struct State;
  std::shared_ptr<State> state_;
};

// From KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT and the files in `folder`.
// REQUIRES: `clock` outlives whatever uses the access.
Result<Access> inClusterAccess(const Clock& clock,
                               const std::string& folder = "/var/run/secrets/kubernetes.io/serviceaccount");

}  // namespace slaq::kube::auth
