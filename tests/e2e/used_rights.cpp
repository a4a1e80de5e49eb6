#include "used_rights.h"

#include <rapidjson/document.h>

#include <functional>
#include <sstream>
#include <vector>

#include "cli/check/rights.h"
#include "config/configuration.h"
#include "kube/json/json_fields.h"

namespace slaq::e2e {
namespace {

using kube::json::at;
using kube::json::stringAt;
using rapidjson::Value;

constexpr int kForbidden = 403;

void forEachEvent(const std::string& log, const std::function<void(const Value&)>& take) {
  std::istringstream lines(log);
  for (std::string line; std::getline(lines, line);) {
    rapidjson::Document event;
    event.Parse(line.c_str(), line.size());
    if (event.IsObject()) take(event);
  }
}

int statusOf(const Value& event) {
  const auto* code = at(event, {"responseStatus", "code"});
  return code != nullptr && code->IsInt() ? code->GetInt() : 0;
}

cli::check::Right requestOf(const Value& event) {
  const std::string subresource = stringAt(event, {"objectRef", "subresource"});
  return {stringAt(event, {"objectRef", "namespace"}), stringAt(event, {"objectRef", "apiGroup"}),
          stringAt(event, {"objectRef", "resource"}) + (subresource.empty() ? "" : "/" + subresource),
          stringAt(event, {"objectRef", "name"}), stringAt(event, {"verb"})};
}

bool allows(const cli::check::Right& right, const cli::check::Right& request) {
  return right.verb == request.verb && right.group == request.group && right.resource == request.resource &&
         (right.ns.empty() || right.ns == request.ns) &&
         (right.object.empty() || right.object == request.object);
}

// With all that is optional.
std::vector<cli::check::Right> allRights() {
  config::Configuration configuration;
  configuration.scheduling.capacity.reset();
  configuration.telemetry.authorize = true;
  auto rights = cli::check::neededRights(configuration, "slaq-system");
  // No request is made with this one: the server asks for it where a child names its owner.
  std::erase_if(rights, [](const auto& right) { return right.resource == "trainingjobs/finalizers"; });
  return rights;
}

}  // namespace

std::set<std::string> unusedRights(const std::string& log) {
  auto rights = allRights();
  forEachEvent(log, [&](const Value& event) {
    const auto request = requestOf(event);
    if (statusOf(event) != kForbidden)
      std::erase_if(rights, [&](const auto& right) { return allows(right, request); });
  });
  std::set<std::string> words;
  for (const auto& right : rights) words.insert(toString(right));
  return words;
}

std::set<std::string> refusedRequests(const std::string& log) {
  std::set<std::string> words;
  forEachEvent(log, [&](const Value& event) {
    const auto request = requestOf(event);
    if (statusOf(event) == kForbidden) words.insert(request.verb + " " + request.resource);
  });
  return words;
}

}  // namespace slaq::e2e
