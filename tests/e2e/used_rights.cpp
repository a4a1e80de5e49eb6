#include "used_rights.h"

#include <rapidjson/document.h>

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

// Children name their owner, for which the server asks for the update of its finalizers; no request is one.
// And an object is read when a write of it fails for what somebody else did in the same moment: ClusterTest.*
// and ResizeTest.* do that on purpose. The rig's Kubernetes has no PodGroups.
bool isUsedElsewhere(const cli::check::Right& right) {
  const std::string words = toString(right);
  return words == "update trainingjobs/finalizers.slaq.io" || words == "get jobs.batch" ||
         words == "get pods" || words == "get services" || words == "get podgroups.scheduling.k8s.io" ||
         words == "patch podgroups.scheduling.k8s.io";
}

// With all that is optional.
std::vector<cli::check::Right> allRights() {
  config::Configuration configuration;
  configuration.scheduling.capacity.reset();
  configuration.telemetry.authorize = true;
  auto rights = cli::check::neededRights(configuration, "slaq-system");
  std::erase_if(rights, isUsedElsewhere);
  return rights;
}

}  // namespace

std::set<std::string> unusedRights(const std::string& log) {
  auto rights = allRights();
  std::istringstream lines(log);
  for (std::string line; std::getline(lines, line);) {
    rapidjson::Document event;
    event.Parse(line.c_str(), line.size());
    if (!event.IsObject() || statusOf(event) == kForbidden) continue;
    const auto request = requestOf(event);
    std::erase_if(rights, [&](const auto& right) { return allows(right, request); });
  }
  std::set<std::string> words;
  for (const auto& right : rights) words.insert(toString(right));
  return words;
}

}  // namespace slaq::e2e
