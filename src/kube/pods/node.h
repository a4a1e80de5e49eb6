// A node as slaq needs to know it: what it can give, and whether new pods may go there.
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

// A taint that is called as the unit of capacity ("nvidia.com/gpu") keeps only those away that do not ask
// for it; whether workers tolerate any other is not looked at.
Node readNode(const rapidjson::Value& node, std::string_view resource);

}  // namespace slaq::kube::pods
