#include "http/renewing_client.h"

#include <mutex>
#include <utility>

namespace slaq::http {
namespace {

class RenewingClient final : public HttpClient {
 public:
  RenewingClient(HttpEndpoint endpoint, ClientFactory make)
      : endpoint_(std::move(endpoint)),
        make_(std::move(make)),
        known_(endpoint_.certificates(Reading::Kept)),
        client_(make_(endpointWith(known_))) {}

  Result<HttpResponse> send(const HttpRequest& request) override { return noted(current()->send(request)); }

  Result<HttpResponse> stream(const HttpRequest& request,
                              const std::function<bool(const std::string&)>& onLine,
                              std::stop_token stop) override {
    return noted(current()->stream(request, onLine, stop));
  }

 private:
  // Requests under way keep the client that they began with. A certificate and its key are two files, which
  // may be replaced one after the other: until they fit, the former client goes on.
  std::shared_ptr<HttpClient> current() {
    const std::lock_guard lock(mutex_);
    Certificates now = endpoint_.certificates(Reading::Kept);
    if (now == known_) return client_;
    known_ = std::move(now);
    const HttpEndpoint next = endpointWith(known_);
    if (check(next)) client_ = make_(next);
    return client_;
  }

  HttpEndpoint endpointWith(const Certificates& certificates) const {
    HttpEndpoint endpoint = endpoint_;
    endpoint.caPem = certificates.caPem;
    endpoint.clientCertificatePem = certificates.clientCertificatePem;
    endpoint.clientKeyPem = certificates.clientKeyPem;
    return endpoint;
  }

  // A server that is no longer trusted may have a certificate of a new authority.
  Result<HttpResponse> noted(Result<HttpResponse> response) {
    if (!response && response.error().kind == ErrorKind::Forbidden) endpoint_.certificates(Reading::Fresh);
    return response;
  }

  std::mutex mutex_;
  const HttpEndpoint endpoint_;
  const ClientFactory make_;
  Certificates known_;
  std::shared_ptr<HttpClient> client_;
};

}  // namespace

std::unique_ptr<HttpClient> makeRenewingClient(HttpEndpoint endpoint, ClientFactory make) {
  return std::make_unique<RenewingClient>(std::move(endpoint), std::move(make));
}

}  // namespace slaq::http
