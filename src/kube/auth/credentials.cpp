#include "kube/auth/credentials.h"

#include <mutex>

#include "http/proxy.h"
#include "kube/auth/files.h"

namespace slaq::kube::auth {
namespace {

constexpr Seconds kReread{60};

std::string hostInUrl(const std::string& host) {
  return host.find(':') == std::string::npos ? host : "[" + host + "]";
}

}  // namespace

struct RereadFile::State {
  std::string path;
  const Clock& clock;
  std::mutex mutex;
  std::string text;
  Seconds readAt{-1e18};
};

RereadFile::RereadFile(std::string path, const Clock& clock)
    : state_(new State{std::move(path), clock, {}, {}, Seconds(-1e18)}) {}

std::string RereadFile::text() {
  const std::lock_guard lock(state_->mutex);
  const Seconds now = state_->clock.monotonic();
  if (now - state_->readAt >= kReread) {
    const auto read = readFile(state_->path);
    if (read) state_->text = trimmed(*read);
    state_->readAt = now;
  }
  return state_->text;
}

void RereadFile::refresh() {
  const std::lock_guard lock(state_->mutex);
  state_->readAt = Seconds(-1e18);
}

void followCertificates(http::HttpEndpoint& endpoint, const CertificateFiles& files, const Clock& clock) {
  const auto follow = [&](const std::string& file, const std::string& text) {
    return [kept = text, reread = file.empty() ? nullptr : std::make_shared<RereadFile>(file, clock)](
               http::Reading reading) {
      if (reread && reading == http::Reading::Fresh) reread->refresh();
      const std::string now = reread ? reread->text() : "";
      return now.empty() ? kept : now;  // without an authority the system's would be trusted
    };
  };
  if (files.ca.empty() && files.clientCertificate.empty()) return;
  endpoint.certificates = [ca = follow(files.ca, endpoint.caPem),
                           certificate = follow(files.clientCertificate, endpoint.clientCertificatePem),
                           key = follow(files.clientKey, endpoint.clientKeyPem)](http::Reading reading) {
    return http::Certificates{ca(reading), certificate(reading), key(reading)};
  };
}

Result<Access> inClusterAccess(const Clock& clock, const std::string& folder) {
  const std::string host = http::processEnvironment("KUBERNETES_SERVICE_HOST");
  const std::string port = http::processEnvironment("KUBERNETES_SERVICE_PORT");
  if (host.empty() || port.empty()) {
    return failure(ErrorKind::NotFound,
                   "this is no pod: KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not set; "
                   "give a kubeconfig");
  }
  const auto ca = readFile(folder + "/ca.crt");
  if (!ca) return failure(ca.error());
  RereadFile token(folder + "/token", clock);
  if (token.text().empty()) {
    return failure(ErrorKind::NotFound, folder + "/token has no token: mount the service account's");
  }
  Access out;
  out.endpoint.url = "https://" + hostInUrl(host) + ":" + port;
  out.endpoint.caPem = *ca;
  out.endpoint.bearerToken = [token]() mutable { return token.text(); };
  followCertificates(out.endpoint, {.ca = folder + "/ca.crt"}, clock);
  out.inCluster = true;
  out.refresh = [token]() mutable { token.refresh(); };
  out.ns = trimmed(readFile(folder + "/namespace").value_or("default"));
  return out;
}

}  // namespace slaq::kube::auth
