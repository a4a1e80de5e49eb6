// The API server's address and the credentials for it. In a pod they come from the service account's files.
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
  http::HttpEndpoint endpoint;
  std::string ns;          // of the pod, or of the kubeconfig's context; "default" if it has none
  bool inCluster = false;  // in the cluster of the pod that this process runs in
  std::function<void()> refresh = [] {};  // makes the next request read the token again
};

// The text of a file that may change. It is read again once a minute and after `refresh`; if that fails, the
// last text stays in use. Any thread may call it.
class RereadFile {
 public:
  RereadFile(std::string path, const Clock& clock);
  std::string text();
  void refresh();

 private:
  struct State;
  std::shared_ptr<State> state_;
};

// The files of an endpoint's PEM texts. The text of an empty path stays.
struct CertificateFiles {
  std::string ca = {};
  std::string clientCertificate = {};
  std::string clientKey = {};
};

// Lets the endpoint's certificates follow these files, as a RereadFile follows one. REQUIRES: `clock`
// outlives every user of the endpoint.
void followCertificates(http::HttpEndpoint& endpoint, const CertificateFiles& files, const Clock& clock);

// The access by KUBERNETES_SERVICE_HOST, KUBERNETES_SERVICE_PORT and the files in `folder`. REQUIRES: `clock`
// outlives every user of the access.
Result<Access> inClusterAccess(const Clock& clock,
                               const std::string& folder = "/var/run/secrets/kubernetes.io/serviceaccount");

}  // namespace slaq::kube::auth
