#include "kube/auth/rotating_client.h"

#include <mutex>

namespace slaq::kube::auth {
namespace {

class RotatingClient final : public http::HttpClient {
 public:
  RotatingClient(const Access& access, const Clock& clock, ClientFactory make)
      : endpoint_(access.endpoint), ca_(access.caFile, clock), make_(std::move(make)) {
    trusted_ = ca_.text();
    client_ = make_(endpoint_);
  }

  Result<http::HttpResponse> send(const http::HttpRequest& request) override {
    return noted(current()->send(request));
  }

  Result<http::HttpResponse> stream(const http::HttpRequest& request,
                                    const std::function<bool(const std::string&)>& onLine,
                                    std::stop_token stop) override {
    return noted(current()->stream(request, onLine, stop));
  }

 private:
  // Requests under way keep the client that they began with.
  std::shared_ptr<http::HttpClient> current() {
    const std::lock_guard lock(mutex_);
    std::string ca = ca_.text();
    if (!ca.empty() && ca != trusted_) {
      trusted_ = std::move(ca);
      endpoint_.caPem = trusted_;
      client_ = make_(endpoint_);
    }
    return client_;
  }

  // A server that is no longer trusted may have a certificate of a new authority.
  Result<http::HttpResponse> noted(Result<http::HttpResponse> response) {
    if (!response && response.error().kind == ErrorKind::Forbidden) ca_.refresh();
    return response;
  }

  std::mutex mutex_;
  http::HttpEndpoint endpoint_;
  RereadFile ca_;
  ClientFactory make_;
  std::string trusted_;
  std::shared_ptr<http::HttpClient> client_;
};

}  // namespace

std::unique_ptr<http::HttpClient> rotatingClient(const Access& access, const Clock& clock,
                                                 ClientFactory make) {
  if (access.caFile.empty()) return make(access.endpoint);
  return std::make_unique<RotatingClient>(access, clock, std::move(make));
}

}  // namespace slaq::kube::auth
