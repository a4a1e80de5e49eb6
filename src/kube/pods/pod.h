// A pod as slaq needs to know it, and no more of it, so that many fit: our own with what keeps them from
// being ready and how their CPU stands, the pods of others with what they hold.
#pragma once

#include <rapidjson/document.h>

#include <optional>
#include <string>
#include <vector>

#include "job/job.h"

namespace slaq::kube::pods {

// The CPU of one container.
struct ContainerCpu {
  std::string name;
  std::optional<Cores> request;
  std::optional<Cores> limit;

  bool operator==(const ContainerCpu&) const = default;
};

// A pod of a TrainingJob's driver or workers.
struct OwnPod {
  JobKey key;  // its own
  std::string uid;
  std::string resourceVersion;
  std::string controller;  // uid of its Job
  std::string node;        // empty until it has one
  int index = -1;          // of an Indexed Job
  bool ended = false;      // it succeeded or failed: it holds nothing any more
  bool leaving = false;    // it was told to stop
  bool ready = false;
  Cores cores;  // in the unit of capacity; during a resize the largest of asked, allocated and actual
  std::vector<ContainerCpu> containers;     // what their spec asks for
  bool settled = true;                      // no resize is under way
  std::optional<std::string> obstacle;      // why it is not ready: no node, no image
  std::optional<std::string> fault;         // why it failed, where that was its own doing
  std::optional<std::string> resizePended;  // why the node does not carry out its resize
};

// A pod that has nothing to do with slaq.
struct OtherPod {
  JobKey key;
  std::string uid;
  std::string resourceVersion;
  std::string node;
  Cores cores;
  std::optional<Time> waitingSince;  // no node has enough left of the unit of capacity
};

OwnPod readOwnPod(const rapidjson::Value& pod, std::string_view resource);
OtherPod readOtherPod(const rapidjson::Value& pod, std::string_view resource);

}  // namespace slaq::kube::pods
