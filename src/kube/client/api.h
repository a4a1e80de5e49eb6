// Typed calls to the API server: what is retried and how, which answer is which kind of error, and who may
// write. Nothing above this file sees an HTTP status.
#pragma once

#include <rapidjson/document.h>

#include <functional>
#include <optional>
#include <stop_token>
#include <string>

#include "base/result.h"
#include "http/client.h"
#include "kube/client/backoff.h"
#include "kube/client/resource.h"

namespace slaq::kube::client {

// One request that was answered or failed, for whoever counts them.
struct ApiCall {
  std::string_view verb;      // get, list, watch, create, patch, delete
  std::string_view resource;  // plural
  std::string outcome;        // the status, or "error" when there was no answer
};

struct ApiOptions {
  std::function<void(const ApiCall&)> observe = [](const ApiCall&) {};
  // Asked right before each write, also before a repeated one. False: the write is a Conflict.
  std::function<bool()> mayWrite = [] { return true; };
  // Called after a 401, before the one try that follows it: credentials are read again.
  std::function<void()> refreshCredentials = [] {};
  std::function<void(Seconds)> sleep;  // a real one unless a test gives its own
  std::function<double()> chance;      // 0..1, for jitter; random unless a test gives its own
  int tries = 4;                       // of a call that fails for a reason that may pass
  Backoff backoff{Seconds(0.2), Seconds(5)};
  Seconds deadline{5};  // of each try; lists have longer
};

// One page of a list.
struct Page {
  rapidjson::Document document;  // {metadata, items}
  std::string resourceVersion;
  std::string continueToken;  // empty on the last page
};

enum class PatchKind {
  Merge,      // RFC 7396: lists are replaced as a whole
  Strategic,  // lists of Kubernetes' own kinds are merged by their keys
};

class Api {
 public:
  // REQUIRES: `http` outlives this.
  explicit Api(HttpClient& http, ApiOptions options = {});

  // Whether a write would be sent now.
  bool mayWrite() const { return options_.mayWrite(); }

  Result<rapidjson::Document> get(const Target& target);
  // At most 500 objects from where `continueToken` left off.
  Result<Page> list(const Target& target, const Selector& selector, const std::string& continueToken);
  // Nothing, when an object of that name exists already.
  Result<std::optional<rapidjson::Document>> create(const Target& target, const std::string& body);
  Result<rapidjson::Document> patch(const Target& target, const std::string& body,
                                    PatchKind kind = PatchKind::Merge);
  // Ends the object with that uid, and what it owns, in the background. It being gone already is a success.
  Result<void> remove(const Target& target, const std::string& uid);
  // Calls `onLine` for each watch event from `resourceVersion` on. A value is the stream's orderly end.
  Result<void> watch(const Target& target, const Selector& selector, const std::string& resourceVersion,
                     Seconds timeout, const std::function<bool(const std::string&)>& onLine,
                     std::stop_token stop);

 private:
  // An answer of any status; whatever may pass was tried again.
  Result<HttpResponse> send(std::string_view verb, const Target& target, HttpRequest request);
  Result<HttpResponse> sendOnce(std::string_view verb, const Target& target, const HttpRequest& request);

  HttpClient& http_;
  ApiOptions options_;
};

// What an answer that is no success means, with the server's own message.
Error errorOf(int status, const std::string& body, const Target& target);

}  // namespace slaq::kube::client
