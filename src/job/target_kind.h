// The kinds of objects that spec.workers.targetRef may name, as values: where their size is, and what else
// slaq reads of them. All paths are JSON Pointers.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace slaq {

struct TargetKind {
  std::string_view group;
  std::string_view version;
  std::string_view kind;
  std::string_view plural;
  std::vector<std::string_view> sizes;  // the fields that all have the number of workers
  bool hasScale = false;                // it has the subresource scale, through which its size is changed
  std::string_view pod;                 // the template of a worker's pod
  std::string_view active;              // in the status: the pods that exist
  std::string_view ready;               // likewise: the pods that are ready
  std::string_view terminating = {};    // likewise: the pods that are stopping, where the kind says so
  std::string_view suspended = {};      // a flag in the spec, where the kind has one
  std::string_view complete = {};       // the type of the condition with which it ends well, where it ends
  // Fields that an object must have, and must not have, each with what is said of an object otherwise.
  std::vector<std::pair<std::string_view, std::string_view>> needed = {};
  std::vector<std::pair<std::string_view, std::string_view>> refused = {};
};

// All kinds that slaq knows, sorted by name.
std::span<const TargetKind> targetKinds();

// The group and version of a kind, such as "apps/v1".
std::string apiVersionOf(const TargetKind& kind);

// The one of that name, such as "Deployment"; nullptr if slaq knows none.
const TargetKind* targetKind(std::string_view kind);

}  // namespace slaq
