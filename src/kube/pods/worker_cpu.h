// Spreads the cores of a worker that scales by CPU over its containers. Requests are the cores that were
// decided, and limits are what the worker may use beyond (ceilingOf). A pod keeps its QoS class, which no
// resize can change. Both are always computed from the template, so that goals are absolute and rounding
// errors do not add up.
#pragma once

#include <rapidjson/document.h>

#include <optional>
#include <string>
#include <vector>

#include "job/view.h"
#include "kube/pods/pod.h"

namespace slaq::kube::pods {

// The CPU of each container of the template that requests any. The requests add up to `cores`, except that
// every container keeps at least a thousandth of a core. With a hard ceiling, a limit of the template moves
// by the factor of the request. With a soft one, it is the container's part of the ceiling, or the template's
// limit if that is more. It also stays above the request, so that pods are Burstable from their start. A
// container without a limit has none.
std::vector<ContainerCpu> spread(const WorkersSpec& workers, Cores cores, bool isStarting);

// Adapts the goals to a pod that exists. Where a container's limit equals its request, it still does so
// afterwards, and where it differs, it still differs: the pod's QoS class may depend on that. A limit rises
// no more than its request needs.
std::vector<ContainerCpu> keepingClass(const OwnPod& pod, std::vector<ContainerCpu> goals);

// Writes the goals into the containers of a pod's spec.
void assignCpu(rapidjson::Value& podSpec, const std::vector<ContainerCpu>& goals,
               rapidjson::Document::AllocatorType& allocator);

// True if the pod's spec already has the goals. Containers that others injected into the pod are ignored.
bool asks(const OwnPod& pod, const std::vector<ContainerCpu>& goals);

// The smallest request of a living pod, counting the template's containers; nothing if no pod lives.
std::optional<Cores> leastAsked(const PodTemplate& pod, const std::vector<OwnPod>& pods);

// The strategic merge patch of the pod's resize subresource. The server refuses it if the pod was replaced.
std::string resizeBody(const OwnPod& pod, const std::vector<ContainerCpu>& goals);

}  // namespace slaq::kube::pods
