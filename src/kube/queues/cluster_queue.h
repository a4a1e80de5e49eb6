// The objects by which administrators of Kueue give quota. ClusterQueues have it, and lend it to each other
// in cohorts. LocalQueues are the ways of namespaces to them, and ResourceFlavors describe nodes.
#pragma once

#include <rapidjson/document.h>

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "job/job.h"

namespace slaq::kube::queues {

// The quota of one ResourceFlavor, in the unit of capacity.
struct FlavorQuota {
  std::string flavor;
  Cores nominal;
  std::optional<Cores> borrowing = {};  // beyond the nominal quota, at most; empty: no limit
  std::optional<Cores> lending = {};    // of the nominal quota, at most; empty: all of it
};

// A ClusterQueue, or a Cohort with quota of its own.
struct ClusterQueue {
  JobKey key;  // without a namespace
  std::string uid;
  std::string resourceVersion;
  std::string cohort;                // empty: none
  bool stopped = false;              // it admits nothing
  std::vector<FlavorQuota> flavors;  // in the order in which Kueue tries them
};

struct LocalQueue {
  JobKey key;
  std::string uid;
  std::string resourceVersion;
  std::string clusterQueue;
  bool stopped = false;  // it admits nothing
};

struct ResourceFlavor {
  JobKey key;  // without a namespace
  std::string uid;
  std::string resourceVersion;
  std::map<std::string, std::string> nodeLabels;
  std::string tolerations;  // a list, as JSON text; empty: none
  std::string topology;     // by which Kueue assigns pods to nodes; empty: it does not
};

// `resource` is the unit of capacity.
ClusterQueue readClusterQueue(const rapidjson::Value& object, std::string_view resource);
LocalQueue readLocalQueue(const rapidjson::Value& object);
ResourceFlavor readResourceFlavor(const rapidjson::Value& object);

}  // namespace slaq::kube::queues
