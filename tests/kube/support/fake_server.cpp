#include "kube/support/fake_server.h"

#include <rapidjson/pointer.h>

#include "kube/json/json_fields.h"
#include "manifest/object_writer.h"

namespace slaq::kube {
namespace {

using json::parseJson;
using json::stringAt;

using rapidjson::Value;
using Allocator = rapidjson::Document::AllocatorType;

void merge(Value& into, const Value& patch, bool strategic, Allocator& allocator);

// A list whose items are known by their names: a strategic patch merges it item by item.
bool isNamed(const Value& list) {
  return list.IsArray() && !list.Empty() && list[0].IsObject() && list[0].HasMember("name");
}

void mergeNamed(Value& into, const Value& patch, Allocator& allocator) {
  for (const auto& each : patch.GetArray()) {
    for (auto& known : into.GetArray()) {
      if (known["name"] == each["name"]) merge(known, each, true, allocator);
    }
  }
}

// RFC 7396 unless it is strategic.
void merge(Value& into, const Value& patch, bool strategic, Allocator& allocator) {
  if (!into.IsObject()) into.SetObject();
  for (const auto& member : patch.GetObject()) {
    const auto known = into.FindMember(member.name);
    if (member.value.IsNull()) {
      if (known != into.MemberEnd()) into.RemoveMember(known);
    } else if (strategic && known != into.MemberEnd() && isNamed(known->value) && isNamed(member.value)) {
      mergeNamed(known->value, member.value, allocator);
    } else if (!member.value.IsObject()) {
      Value copy(member.value, allocator);
      if (known != into.MemberEnd()) {
        known->value = copy;
      } else {
        into.AddMember(Value(member.name, allocator), copy, allocator);
      }
    } else {
      if (known == into.MemberEnd()) {
        into.AddMember(Value(member.name, allocator), Value(rapidjson::kObjectType), allocator);
      }
      merge(into[member.name], member.value, strategic, allocator);
    }
  }
}

std::string pathAlone(const std::string& path) { return path.substr(0, path.find('?')); }

// The object that a subresource belongs to.
std::string objectPath(std::string path) {
  path = pathAlone(path);
  for (const std::string subresource : {"/status", "/resize"}) {
    if (path.ends_with(subresource)) path.resize(path.size() - subresource.size());
  }
  return path;
}

void set(Value& object, const char* key, const std::string& text, Allocator& allocator) {
  if (!object.HasMember("metadata")) object.AddMember("metadata", Value(rapidjson::kObjectType), allocator);
  Value& metadata = object["metadata"];
  metadata.RemoveMember(key);
  metadata.AddMember(rapidjson::StringRef(key), Value(text.c_str(), allocator), allocator);
}

}  // namespace

http::HttpResponse answer(int status, const std::string& body) {
  http::HttpResponse out;
  out.status = status;
  out.body = body;
  return out;
}

http::HttpResponse refusal(int status, const std::string& reason, const std::string& message) {
  rapidjson::Document document;
  auto& allocator = document.GetAllocator();
  return answer(status, manifest::toText(manifest::ObjectWriter(allocator)
                                             .add("kind", "Status")
                                             .add("reason", reason)
                                             .add("message", message)
                                             .add("code", status)
                                             .take()));
}

Result<http::HttpResponse> FakeServer::send(const http::HttpRequest& request) {
  const std::lock_guard lock(mutex_);
  requests_.push_back(request.method + " " + request.path +
                      (request.method == "PATCH" ? " " + request.body : std::string()));
  if (before) {
    if (auto instead = before(request)) return *instead;
  }
  http::HttpResponse served = serve(request);
  if (after) {
    if (auto instead = after(request)) return *instead;
  }
  return served;
}

Result<http::HttpResponse> FakeServer::stream(const http::HttpRequest& request,
                                              const std::function<bool(const std::string&)>& onLine,
                                              std::stop_token) {
  std::vector<std::string> all;
  {
    const std::lock_guard lock(mutex_);
    requests_.push_back("WATCH " + request.path);
    if (before) {
      if (auto instead = before(request)) return *instead;
    }
    if (lines) all = lines(request);
  }
  for (const auto& line : all) {
    if (!onLine(line)) break;
  }
  return answer(200, "");
}

http::HttpResponse FakeServer::serve(const http::HttpRequest& request) {
  if (request.method == "POST") return create(request);
  if (request.method == "PATCH") return patch(request);
  if (request.method == "DELETE") return remove(request);
  const std::string path = pathAlone(request.path);
  const auto found = objects_.find(path);
  if (found != objects_.end()) return answer(200, found->second);
  if (request.path != path) return list(path);
  return refusal(404, "NotFound", path + " not found");
}

http::HttpResponse FakeServer::create(const http::HttpRequest& request) {
  auto object = parseJson(request.body);
  const std::string path = pathAlone(request.path) + "/" + stringAt(object, {"metadata", "name"});
  if (objects_.contains(path)) return refusal(409, "AlreadyExists", path + " already exists");
  set(object, "uid", "made-" + std::to_string(++uids_), object.GetAllocator());
  return keep(path, std::move(object), 201);
}

namespace {

// A JSON Patch whose every step sets a field; one of the metadata is a precondition. As an object, it is a
// merge patch of that precondition.
rapidjson::Document setAll(Value& object, const Value& steps, Allocator& allocator) {
  rapidjson::Document preconditions(rapidjson::kObjectType);
  for (const auto& step : steps.GetArray()) {
    const std::string path = stringAt(step, {"path"});
    const bool isPrecondition = path.starts_with("/metadata/");
    auto& into = isPrecondition ? static_cast<Value&>(preconditions) : object;
    auto& owner = isPrecondition ? preconditions.GetAllocator() : allocator;
    rapidjson::Pointer(path.c_str()).Set(into, Value(step["value"], owner), owner);
  }
  return preconditions;
}

}  // namespace

http::HttpResponse FakeServer::patch(const http::HttpRequest& request) {
  const std::string path = objectPath(request.path);
  const auto found = objects_.find(path);
  if (found == objects_.end()) return refusal(404, "NotFound", path + " not found");
  auto object = parseJson(found->second);
  auto change = parseJson(request.body);
  if (change.IsArray()) change = setAll(object, change, object.GetAllocator());
  for (const char* precondition : {"uid", "resourceVersion"}) {
    const std::string wanted = stringAt(change, {"metadata", precondition});
    if (!wanted.empty() && wanted != stringAt(object, {"metadata", precondition})) {
      return refusal(409, "Conflict", std::string("Precondition failed: ") + precondition);
    }
  }
  merge(object, change, request.contentType.find("strategic") != std::string::npos, object.GetAllocator());
  return keep(path, std::move(object), 200);
}

http::HttpResponse FakeServer::remove(const http::HttpRequest& request) {
  const auto found = objects_.find(request.path);
  if (found == objects_.end()) return refusal(404, "NotFound", request.path + " not found");
  const std::string wanted = stringAt(parseJson(request.body), {"preconditions", "uid"});
  if (!wanted.empty() && wanted != stringAt(parseJson(found->second), {"metadata", "uid"})) {
    return refusal(409, "Conflict", "Precondition failed: UID");
  }
  objects_.erase(found);
  return answer(200, "{}");
}

http::HttpResponse FakeServer::keep(const std::string& path, rapidjson::Document object, int status) {
  set(object, "resourceVersion", std::to_string(++version_), object.GetAllocator());
  return answer(status, objects_[path] = manifest::toText(object));
}

http::HttpResponse FakeServer::list(const std::string& collection) const {
  std::string items;
  for (const auto& [path, object] : objects_) {
    if (!path.starts_with(collection + "/")) continue;
    items += (items.empty() ? "" : ",") + object;
  }
  return answer(200, R"({"metadata":{"resourceVersion":")" + std::to_string(version_) + R"("},"items":[)" +
                         items + "]}");
}

std::string FakeServer::put(const std::string& path, const std::string& body) {
  const std::lock_guard lock(mutex_);
  return keep(path, parseJson(body), 200).body;
}

std::string FakeServer::at(const std::string& path) const {
  const std::lock_guard lock(mutex_);
  const auto found = objects_.find(path);
  return found == objects_.end() ? "" : found->second;
}

std::vector<std::string> FakeServer::takeRequests() {
  const std::lock_guard lock(mutex_);
  return std::exchange(requests_, {});
}

std::vector<std::string> FakeServer::takeWrites() {
  auto all = takeRequests();
  std::erase_if(all, [](const auto& each) { return each.starts_with("GET ") || each.starts_with("WATCH "); });
  return all;
}

}  // namespace slaq::kube
