// A Workload of Kueue (kueue.x-k8s.io/v1beta2): a request for quota, and what was admitted of it. These are
// the fields that slaq keeps, of its own Workloads and of all others.
#pragma once

#include <rapidjson/document.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "job/job.h"

namespace slaq::kube::queues {

// A Workload that replaces another one, which Kueue calls a slice, has these annotations. The first has the
// "namespace/name" of the replaced Workload, the second the name of the first Workload of the chain.
inline constexpr const char* kReplacesAnnotation = "kueue.x-k8s.io/workload-slice-replacement-for";
inline constexpr const char* kFirstSliceAnnotation = "kueue.x-k8s.io/workload-slice-name";

// Kueue adds it to the priority, with its feature gate PriorityBoost.
inline constexpr const char* kPriorityBoostAnnotation = "kueue.x-k8s.io/priority-boost";

inline constexpr const char* kDriverSet = "driver";
inline constexpr const char* kWorkerSet = "workers";

// Pods of one template.
struct PodSet {
  std::string name;
  Workers count;                          // as requested, or as reserved if that is less
  Cores cores;                            // of all of them, as reserved, else as requested
  std::string flavor = {};                // the ResourceFlavor of the quota that is reserved for them
  std::vector<std::string> flavors = {};  // of all resources, each once
};

struct Workload {
  JobKey key;
  std::string uid;
  std::string resourceVersion;
  std::string owner;      // the uid of its controller
  std::string ownerName;  // "Job/train": the kind and the name of its controller
  std::string queue;
  std::string clusterQueue;  // whose quota is reserved; empty while none is
  std::string replaces;      // "namespace/name" of the Workload that it is to replace
  std::string first;         // the name of the first Workload of this chain of replacements
  Time created;
  std::int32_t priority = 0;
  int priorityBoost = 0;
  bool active = true;  // false: its owner or an administrator keeps it from being admitted
  bool deleting = false;
  bool admitted = false;
  bool finished = false;
  bool podsReady = false;
  std::optional<std::string> evicted = {};  // why, where it has to stop
  std::string evictedReason = {};           // in CamelCase
  std::string pending = {};                 // why it has no quota
  std::vector<PodSet> podSets = {};
  // The additions of its admission checks to the pods of each set, as JSON text.
  std::string podSetUpdates = {};
};

// Quota is reserved for it, and counts as used.
inline bool isReserved(const Workload& workload) {
  return !workload.clusterQueue.empty() && !workload.finished;
}

Cores coresOf(const Workload& workload);
// The number of workers; 0 if it has no such set of pods.
Workers workersOf(const Workload& workload);

// `resource` is the unit of capacity.
Workload readWorkload(const rapidjson::Value& object, std::string_view resource);

}  // namespace slaq::kube::queues
