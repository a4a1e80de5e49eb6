// The few fields of pods that slaq keeps, so that many pods fit into memory. For its own pods slaq keeps why
// they are not ready and how their CPU stands, for other pods their requests.
#pragma once

#include <rapidjson/document.h>

#include <optional>
#include <string>
#include <vector>

#include "job/view.h"

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
  Time created;
  int index = -1;        // of an Indexed Job
  bool ended = false;    // it succeeded or failed, and holds no cores
  bool leaving = false;  // its deletion was requested
  bool ready = false;
  Cores cores;  // in the unit of capacity; during a resize the largest of requested, allocated and actual
  std::vector<ContainerCpu> containers;  // as the spec requests it
  bool settled = true;                   // no resize is under way
  std::optional<std::string> obstacle;   // why it is not ready: no node, no image
  std::optional<std::string> fault;      // why it failed, unless it was evicted or told to stop
  bool killed = false;                   // it failed since the node or a user killed it
  // How its main container ended while another one goes on. The main container is the one with a port named
  // "metrics", else the first.
  std::optional<ChiefEnd> mainEnd;
  // The end counts from then on. Before, Kubernetes may still end the pod of a failed one and replace it.
  Time mainEndCounts;
  std::optional<std::string> resizePended;  // why the node has not carried out its resize
};

// A pod that slaq did not create.
struct OtherPod {
  JobKey key;
  std::string uid;
  std::string resourceVersion;
  std::string node;
  std::string job;  // the TrainingJob of its namespace that it names as its own by a label; may be empty
  Cores cores;
  std::optional<Time> waitingSince;  // since when no node has had enough of the unit of capacity
};

// True if the pod has not ended and was not asked to stop.
bool lives(const OwnPod& pod);
bool isReady(const OwnPod& pod);

OwnPod readOwnPod(const rapidjson::Value& pod, std::string_view resource);
OtherPod readOtherPod(const rapidjson::Value& pod, std::string_view resource);

}  // namespace slaq::kube::pods
