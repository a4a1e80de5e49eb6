#include "config/read_targets.h"

#include <algorithm>
#include <string>

namespace slaq::config {
namespace {

bool isGrouped(const std::string& path) { return path.find("/[") != std::string::npos; }

// A path is a JSON Pointer of two steps at least, in which a step "[FIELD]" may stand for an element of a
// list.
std::string readPath(yaml::Fields& fields, const char* key, const char* example, bool isNeeded) {
  const std::string path = fields.text(key, "");
  const bool isMissing = path.empty() && isNeeded;
  const bool isPath = path.starts_with('/') && !path.ends_with('/') &&
                      path.find('/', 1) != std::string::npos && path.find('~') == std::string::npos;
  if (isMissing || (!path.empty() && !isPath))
    fields.mistake(key, std::string("must be a path of two steps at least, such as ") + example);
  return path;
}

std::string readName(yaml::Fields& fields, const char* key, const char* example) {
  const std::string name = fields.text(key, "");
  if (name.empty()) fields.mistake(key, std::string("must be given, such as ") + example);
  return name;
}

TargetKind readKind(yaml::Fields fields) {
  TargetKind kind;
  const std::string apiVersion = readName(fields, "apiVersion", "example.com/v1");
  const auto slash = apiVersion.find('/');
  if (!apiVersion.empty() && slash == std::string::npos)
    fields.mistake("apiVersion", "must have a group and a version, such as example.com/v1");
  kind.group = apiVersion.substr(0, slash);
  kind.version = slash == std::string::npos ? "" : apiVersion.substr(slash + 1);
  kind.kind = readName(fields, "kind", "MPIJob");
  kind.plural = readName(fields, "plural", "mpijobs");
  kind.sizes = {readPath(fields, "specReplicasPath", "/spec/replicas", true)};
  kind.hasScale = fields.flag("scale", false);
  kind.pod = readPath(fields, "templatePath", "/spec/template", true);
  kind.ready = readPath(fields, "readyReplicasPath", "/status/readyReplicas", true);
  kind.active = readPath(fields, "statusReplicasPath", "/status/replicas", false);
  if (kind.active.empty()) kind.active = kind.ready;
  kind.suspended = readPath(fields, "suspendPath", "/spec/suspend", false);
  kind.min = readPath(fields, "minReplicasPath", "/spec/minReplicas", false);
  kind.max = readPath(fields, "maxReplicasPath", "/spec/maxReplicas", false);
  kind.complete = fields.text("completeCondition", "");
  kind.countsAllGroups = isGrouped(kind.sizes.front()) && !isGrouped(kind.ready);
  if (kind.hasScale && isGrouped(kind.sizes.front()))
    fields.mistake("scale", "must be false where specReplicasPath leads through a list");
  fields.refuseOthers();
  return kind;
}

}  // namespace

std::vector<TargetKind> readTargets(yaml::Fields& root) {
  std::vector<std::string_view> known;
  for (const auto& each : targetKinds()) known.push_back(each.kind);
  std::vector<TargetKind> kinds;
  for (const auto& name : root.names("targets", known)) kinds.push_back(*targetKind(name));
  for (auto& fields : root.sections("targetKinds")) {
    TargetKind kind = readKind(std::move(fields));
    const bool isKnown = std::ranges::any_of(
        kinds, [&](const TargetKind& each) { return each.kind == kind.kind && each.group == kind.group; });
    if (isKnown) root.mistake("targetKinds", "has " + kind.kind + " twice, or it is in targets too");
    kinds.push_back(std::move(kind));
  }
  std::ranges::sort(kinds, {}, &TargetKind::kind);
  return kinds;
}

}  // namespace slaq::config
