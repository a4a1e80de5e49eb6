// The fields of a node that slaq keeps: its allocatable capacity, and whether it accepts new pods.
#pragma once

#include <rapidjson/document.h>

#include <string>

#include "job/job.h"

namespace slaq::kube::pods {

struct Node {
  JobKey key;  // without a namespace
  std::string uid;
  std::string resourceVersion;
  Cores allocatable;  // of the unit of capacity
  bool open = true;   // ready, not cordoned, and without a taint that keeps pods away
};

// A taint whose key is the unit of capacity ("nvidia.com/gpu") repels only pods that do not request it, so it
// is ignored. Any other taint closes the node; tolerations of workers are not examined.
Node readNode(const rapidjson::Value& node, std::string_view resource);

}  // namespace slaq::kube::pods
