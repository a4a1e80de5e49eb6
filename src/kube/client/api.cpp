#include "kube/client/api.h"

#include <algorithm>
#include <random>
#include <thread>

#include "base/clock.h"
#include "kube/json/json_fields.h"
#include "manifest/object_writer.h"

namespace slaq::kube::client {
namespace {

using json::at;
using json::parseJson;
using json::stringAt;

constexpr int kPageSize = 500;
// If a server asks for a longer pause, the call ends after this: its caller may have something better to do.
constexpr Seconds kLongestRetryAfter{5};

const char* contentTypeOf(PatchKind kind) {
  switch (kind) {
    case PatchKind::Merge:
      return "application/merge-patch+json";
    case PatchKind::Strategic:
      return "application/strategic-merge-patch+json";
    case PatchKind::Json:
      return "application/json-patch+json";
  }
  return "";
}
constexpr Seconds kListDeadline{30};  // a page may have megabytes
// A watch without a line for this long is considered dead. Bookmarks come every minute.
constexpr Seconds kSilence{90};

constexpr int kTooMany = 429;

double randomChance() {
  thread_local std::mt19937 engine{std::random_device{}()};
  return std::uniform_real_distribution<double>(0, 1)(engine);
}

bool succeeded(int status) { return status >= 200 && status < 300; }

ErrorKind kindOf(int status) {
  switch (status) {
    case 400:
    case 405:
    case 413:
    case 415:
    case 422:
      return ErrorKind::Invalid;
    case 401:
    case 403:
      return ErrorKind::Forbidden;
    case 404:
      return ErrorKind::NotFound;
    case 409:
      return ErrorKind::Conflict;
    case 410:
      return ErrorKind::Gone;
    case 408:
    case kTooMany:
      return ErrorKind::Transient;
    default:
      return status >= 500 ? ErrorKind::Transient : ErrorKind::Malformed;
  }
}

Result<rapidjson::Document> objectIn(const Result<http::HttpResponse>& response, const Target& target) {
  if (!response) return failure(response.error());
  if (!succeeded(response->status)) return failure(errorOf(response->status, response->body, target));
  auto document = parseJson(response->body);
  if (document.HasParseError() || !document.IsObject()) {
    return failure(ErrorKind::Malformed,
                   "the API server's answer about " + toString(target) + " is no JSON object");
  }
  return document;
}

std::string reasonIn(const std::string& status) {
  const auto document = parseJson(status);
  return document.HasParseError() ? std::string() : stringAt(document, {"reason"});
}

http::HttpRequest requestOf(std::string method, std::string path, std::string contentType = {},
                            std::string body = {}) {
  http::HttpRequest request;
  request.method = std::move(method);
  request.path = std::move(path);
  request.contentType = std::move(contentType);
  request.body = std::move(body);
  return request;
}

std::string query(const Selector& selector) {
  const auto& [labels, fields] = selector;
  std::string out;
  if (!labels.empty()) out += "&labelSelector=" + percentEncoded(labels);
  if (!fields.empty()) out += "&fieldSelector=" + percentEncoded(fields);
  return out;
}

}  // namespace

Error errorOf(int status, const std::string& body, const Target& target) {
  const auto document = parseJson(body);
  std::string said = document.HasParseError() ? std::string() : stringAt(document, {"message"});
  if (said.empty()) said = toString(target) + ": the API server answered " + std::to_string(status);
  return {kindOf(status), printable(said)};
}

Api::Api(http::HttpClient& http, ApiOptions options) : http_(http), options_(std::move(options)) {
  if (!options_.pause) {
    options_.pause = [](Seconds pause) {
      std::this_thread::sleep_for(pause);
      return false;
    };
  }
  if (!options_.now) options_.now = [] { return SystemClock().monotonic(); };
  if (!options_.chance) options_.chance = randomChance;
}

Result<http::HttpResponse> Api::sendOnce(std::string_view verb, const Target& target,
                                         const http::HttpRequest& request) {
  const bool isWrite = request.method != "GET";
  if (isWrite && options_.mayWrite()) {  // a process that may not write does not wait for a turn
    const Seconds turn = limiter_.take(options_.now());
    if (turn > Seconds(0) && options_.pause(turn))
      return failure(ErrorKind::Transient, "the program is to stop");
  }
  if (isWrite && !options_.mayWrite())
    return failure(ErrorKind::Conflict, "nothing was written: this process does not hold the leader's lease");
  const Seconds begun = options_.now();
  auto response = http_.send(request);
  options_.observe({verb, target.resource.plural, response ? std::to_string(response->status) : "error",
                    options_.now() - begun});
  if (isWrite && response && response->status == kTooMany) limiter_.refused(options_.now());
  return response;
}

Result<http::HttpResponse> Api::send(std::string_view verb, const Target& target, http::HttpRequest request) {
  request.deadline = verb == "list" ? kListDeadline : options_.deadline;
  bool refreshed = false;
  for (int tried = 1;; ++tried) {
    auto response = sendOnce(verb, target, request);
    if (response && succeeded(response->status)) return response;
    if (response && response->status == 401 && !refreshed) {
      refreshed = true;
      options_.refreshCredentials();
      continue;
    }
    const auto kind = response ? kindOf(response->status) : response.error().kind;
    if (!retriable(kind) || tried >= options_.tries) return response;
    const Seconds asked = response ? response->retryAfter.value_or(Seconds(0)) : Seconds(0);
    const Seconds pause =
        std::max(options_.backoff.after(tried, options_.chance()), std::min(asked, kLongestRetryAfter));
    if (options_.pause(pause) || asked > kLongestRetryAfter) return response;
  }
}

Result<rapidjson::Document> Api::get(const Target& target) {
  return objectIn(send("get", target, requestOf("GET", pathOf(target))), target);
}

Result<Page> Api::list(const Target& target, const Selector& selector, const std::string& continueToken) {
  std::string path = pathOf(target) + "?limit=" + std::to_string(kPageSize) + query(selector);
  if (!continueToken.empty()) path += "&continue=" + percentEncoded(continueToken);
  auto document = objectIn(send("list", target, requestOf("GET", path)), target);
  if (!document) return failure(document.error());
  const auto* items = at(*document, {"items"});
  if (!items || !items->IsArray()) {
    return failure(ErrorKind::Malformed, "the API server's list of " + toString(target) + " has no items");
  }
  Page page;
  page.resourceVersion = stringAt(*document, {"metadata", "resourceVersion"});
  if (page.resourceVersion.empty()) {
    return failure(ErrorKind::Malformed, "the API server's list of " + toString(target) + " has no version");
  }
  page.continueToken = stringAt(*document, {"metadata", "continue"});
  page.document = std::move(*document);
  return page;
}

Result<void> Api::listAll(const Target& target, const Selector& selector,
                          const std::function<void(const rapidjson::Value&)>& each) {
  std::string next;
  do {
    const auto page = list(target, selector, next);
    if (!page) return failure(page.error());
    for (const auto& object : json::elementsAt(page->document, {"items"})) each(object);
    next = page->continueToken;
  } while (!next.empty());
  return {};
}

Result<std::optional<rapidjson::Document>> Api::create(const Target& target, const std::string& body,
                                                       FieldValidation validation) {
  const Target collection{target.resource, target.ns};
  const std::string query = validation == FieldValidation::Strict ? "?fieldValidation=Strict" : "";
  const auto response =
      send("create", collection, requestOf("POST", pathOf(collection) + query, "application/json", body));
  // A 409 with another reason means that the server was counting a quota: the caller may try again.
  if (response && response->status == 409 && reasonIn(response->body) == "AlreadyExists") return std::nullopt;
  auto document = objectIn(response, target);
  if (!document) return failure(document.error());
  return std::optional(std::move(*document));
}

Result<rapidjson::Document> Api::patch(const Target& target, const std::string& body, PatchKind kind) {
  return objectIn(send("patch", target, requestOf("PATCH", pathOf(target), contentTypeOf(kind), body)),
                  target);
}

Result<void> Api::remove(const Target& target, const std::string& uid, const std::string& resourceVersion) {
  rapidjson::Document body;
  auto& allocator = body.GetAllocator();
  manifest::ObjectWriter preconditions(allocator);
  preconditions.add("uid", uid);
  if (!resourceVersion.empty()) preconditions.add("resourceVersion", resourceVersion);
  const std::string text = manifest::toText(manifest::ObjectWriter(allocator)
                                                .add("propagationPolicy", "Background")
                                                .add("preconditions", preconditions.take())
                                                .take());
  const auto response = send("delete", target, requestOf("DELETE", pathOf(target), "application/json", text));
  if (!response) return failure(response.error());
  if (succeeded(response->status) || response->status == 404) return {};
  return failure(errorOf(response->status, response->body, target));
}

Result<void> Api::watch(const Target& target, const Selector& selector, const std::string& resourceVersion,
                        Seconds timeout, const std::function<bool(const std::string&)>& onLine,
                        std::stop_token stop) {
  http::HttpRequest request;
  request.path = pathOf(target) + "?watch=true&allowWatchBookmarks=true&timeoutSeconds=" +
                 std::to_string(static_cast<int>(timeout.count())) +
                 "&resourceVersion=" + percentEncoded(resourceVersion) + query(selector);
  request.deadline = kSilence;
  const auto response = http_.stream(request, onLine, stop);
  options_.observe({"watch", target.resource.plural, response ? std::to_string(response->status) : "error"});
  if (!response) return failure(response.error());
  if (succeeded(response->status)) return {};
  if (response->status == 401) options_.refreshCredentials();
  return failure(errorOf(response->status, response->body, target));
}

}  // namespace slaq::kube::client
