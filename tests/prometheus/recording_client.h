// An HTTP client that tests answer for.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "http/client.h"

namespace slaq::test {

// Answers by a function and keeps what it was asked.
class RecordingClient final : public http::HttpClient {
 public:
  using Answer = std::function<Result<http::HttpResponse>(const http::HttpRequest&)>;
  RecordingClient(std::vector<http::HttpRequest>& asked, Answer& answer) : asked_(asked), answer_(answer) {}

  Result<http::HttpResponse> send(const http::HttpRequest& request) override {
    asked_.push_back(request);
    return answer_(request);
  }
  Result<http::HttpResponse> stream(const http::HttpRequest&, const std::function<bool(const std::string&)>&,
                                    std::stop_token) override {
    return failure(ErrorKind::Invalid, "Prometheus is never streamed");
  }

 private:
  std::vector<http::HttpRequest>& asked_;
  Answer& answer_;
};

}  // namespace slaq::test
