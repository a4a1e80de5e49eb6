// An object that spec.workers.targetRef names, reduced to what slaq keeps of it.
#pragma once

#include <rapidjson/document.h>

#include <optional>
#include <string>

#include "job/job.h"
#include "job/target_kind.h"

namespace slaq::kube::targets {

struct Target {
  JobKey key;
  std::string uid;
  std::string resourceVersion;
  Workers desired;
  Workers active;
  Workers ready;
  Workers terminating;
  bool suspended = false;
  bool complete = false;
  std::optional<std::string> failed = {};  // the reason, where it has failed
  // Why slaq must not change its size; the end of a sentence that begins with its name.
  std::optional<std::string> inelastic = {};
  PodTemplate pod = {};      // of a worker, without its document
  std::string manager = {};  // the field manager that set its size; empty if it was slaq, or is not recorded
};

// `resource` is the unit of capacity.
Target readTarget(const rapidjson::Value& object, const TargetKind& kind, std::string_view resource);

// The merge patch, of its subresource scale where the kind has one, that gives it this number of workers if
// it has not changed since it was read.
std::string sizePatch(const Target& target, const TargetKind& kind, Workers workers);

}  // namespace slaq::kube::targets
