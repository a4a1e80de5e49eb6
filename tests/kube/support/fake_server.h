// An API server in memory, behind HttpClient: objects with uids and versions, preconditions, merge patches.
// It keeps the list of requests, and a test can refuse any of them or lose an answer.
#pragma once

#include <rapidjson/document.h>

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "http/client.h"

namespace slaq::kube {

class FakeServer final : public http::HttpClient {
 public:
  Result<http::HttpResponse> send(const http::HttpRequest& request) override;
  Result<http::HttpResponse> stream(const http::HttpRequest& request,
                                    const std::function<bool(const std::string&)>& onLine,
                                    std::stop_token stop) override;

  // Puts an object as it is, with a version of its own; returns it. For what others write.
  std::string put(const std::string& path, const std::string& body);
  void erase(const std::string& path) { objects_.erase(path); }
  std::string at(const std::string& path) const;
  bool has(const std::string& path) const { return objects_.contains(path); }

  // "METHOD path" of the writes, with the bodies of patches; taken away by the call.
  std::vector<std::string> takeWrites();
  std::vector<std::string> takeRequests();

  // Asked first; an answer stands in for the server's own.
  std::function<std::optional<Result<http::HttpResponse>>(const http::HttpRequest&)> before;
  // Asked after the request was served; an answer replaces the server's.
  std::function<std::optional<Result<http::HttpResponse>>(const http::HttpRequest&)> after;
  // The lines of a watch, sent before it ends in good order.
  std::function<std::vector<std::string>(const http::HttpRequest&)> lines;

 private:
  http::HttpResponse serve(const http::HttpRequest& request);
  http::HttpResponse create(const http::HttpRequest& request);
  http::HttpResponse patch(const http::HttpRequest& request);
  http::HttpResponse remove(const http::HttpRequest& request);
  http::HttpResponse list(const std::string& collection) const;
  http::HttpResponse keep(const std::string& path, rapidjson::Document object, int status);

  mutable std::mutex mutex_;
  std::map<std::string, std::string> objects_;  // path -> JSON
  std::vector<std::string> requests_;
  int version_ = 100;
  int uids_ = 0;
};

http::HttpResponse answer(int status, const std::string& body);
// A metav1.Status, as the server sends it with errors.
http::HttpResponse refusal(int status, const std::string& reason, const std::string& message);

}  // namespace slaq::kube
