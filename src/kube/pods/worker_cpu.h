// Spreads the cores of a worker that scales by CPU over its containers. Requests and limits change by one
// factor, so that the pod keeps its QoS class, which no resize can change. They are always computed from the
// template, so that goals are absolute and rounding errors do not add up.
#pragma once

#include <rapidjson/document.h>

#include <optional>
#include <string>
#include <vector>

#include "job/view.h"
#include "kube/pods/pod.h"

namespace slaq::kube::pods {

// The CPU of each container of the template that requests any. The requests add up to `cores`, except that
// every container keeps at least a thousandth of a core.
std::vector<ContainerCpu> spread(const PodTemplate& pod, Cores cores);

// Writes the goals into the containers of a pod's spec.
void assignCpu(rapidjson::Value& podSpec, const std::vector<ContainerCpu>& goals,
               rapidjson::Document::AllocatorType& allocator);

// True when the pod's spec requests the goals already. Containers that others injected into the pod are
// ignored.
bool asks(const OwnPod& pod, const std::vector<ContainerCpu>& goals);

// The smallest request of a living pod, counting the template's containers; nothing if no pod lives.
std::optional<Cores> leastAsked(const PodTemplate& pod, const std::vector<OwnPod>& pods);

// The strategic merge patch of the pod's resize subresource. Refused by the server if the pod was replaced.
std::string resizeBody(const OwnPod& pod, const std::vector<ContainerCpu>& goals);

}  // namespace slaq::kube::pods
