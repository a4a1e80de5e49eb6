// Typed calls to the API server. This file decides what is retried and how, which kind of error an answer is,
// and whether this process may write. No other file sees an HTTP status.
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
#include "kube/client/write_limiter.h"

namespace slaq::kube::client {

// One request that was answered or failed, for metrics.
struct ApiCall {
  std::string_view verb;                 // get, list, watch, create, patch, delete
  std::string_view resource;             // plural
  std::string outcome;                   // the status, or "error" when there was no answer
  std::optional<Seconds> duration = {};  // empty for a watch
};

struct ApiOptions {
  std::function<void(const ApiCall&)> observe = [](const ApiCall&) {};
  // Called right before each write and before each retry of one. False turns the write into a Conflict.
  std::function<bool()> mayWrite = [] { return true; };
  // Reads the credentials again. Called after a 401, before the single retry that follows it.
  std::function<void()> refreshCredentials = [] {};
  // Waits for the given time between two tries; true ends the call. By default the thread sleeps.
  std::function<bool(Seconds)> pause;
  std::function<Seconds()> now;    // on a monotonic clock; the system's unless a test gives its own
  std::function<double()> chance;  // 0..1, for jitter; random unless a test gives its own
  int tries = 4;                   // of a call whose error is retriable
  Backoff backoff{Seconds(0.2), Seconds(5)};
  Seconds deadline{5};  // of each try; lists have a longer one
};

// One page of a list.
struct Page {
  rapidjson::Document document;  // {metadata, items}
  std::string resourceVersion;
  std::string continueToken;  // empty on the last page
};

// The server's treatment of fields that it does not know.
enum class FieldValidation { Ignore, Strict };

enum class PatchKind {
  Merge,      // RFC 7396: lists are replaced as a whole
  Strategic,  // lists of Kubernetes' own kinds are merged by their keys
  Json,       // RFC 6902: a list of operations, which reach single elements of lists
};

// Any thread may call it that may call the functions of the options. Writes wait for their turn while the
// server says that they are too many.
class Api {
 public:
  // REQUIRES: `http` outlives this.
  explicit Api(http::HttpClient& http, ApiOptions options = {});

  // True if a write would be sent now.
  bool mayWrite() const { return options_.mayWrite(); }

  Result<rapidjson::Document> get(const Target& target);
  // The next page of at most 500 objects; an empty `continueToken` asks for the first.
  Result<Page> list(const Target& target, const Selector& selector, const std::string& continueToken);
  // Calls `each` for every object of a collection, page by page. After an error some were missed.
  Result<void> listAll(const Target& target, const Selector& selector,
                       const std::function<void(const rapidjson::Value&)>& each);
  // The created object, or nothing if an object of that name already exists. With Strict a field that the
  // server does not know is Invalid; otherwise the server leaves it out.
  Result<std::optional<rapidjson::Document>> create(const Target& target, const std::string& body,
                                                    FieldValidation validation = FieldValidation::Ignore);
  Result<rapidjson::Document> patch(const Target& target, const std::string& body,
                                    PatchKind kind = PatchKind::Merge);
  // Deletes the object with that uid; the objects that it owns are deleted in the background. Success if it
  // is already gone. Conflict if a resource version is given and the object has another one.
  Result<void> remove(const Target& target, const std::string& uid, const std::string& resourceVersion = "");
  // Calls `onLine` for each watch event after `resourceVersion`. Success means that the server ended the
  // stream in good order; a server that says nothing for long, not even a bookmark, is a Transient error.
  Result<void> watch(const Target& target, const Selector& selector, const std::string& resourceVersion,
                     Seconds timeout, const std::function<bool(const std::string&)>& onLine,
                     std::stop_token stop);

 private:
  // Sends a request until it is answered without a retriable error or the tries are used up.
  Result<http::HttpResponse> send(std::string_view verb, const Target& target, http::HttpRequest request);
  Result<http::HttpResponse> sendOnce(std::string_view verb, const Target& target,
                                      const http::HttpRequest& request);

  http::HttpClient& http_;
  ApiOptions options_;
  WriteLimiter limiter_;
};

// The error that an unsuccessful answer stands for, with the server's own message.
Error errorOf(int status, const std::string& body, const Target& target);

}  // namespace slaq::kube::client
