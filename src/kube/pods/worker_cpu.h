// The cores of one worker that scales by CPU, spread over its containers: requests and limits are moved by
// one factor, so that the pod's QoS class, which no resize can change, stays. Always counted from the
// template, so that goals are absolute and rounding does not add up.
#pragma once

#include <rapidjson/document.h>

#include <optional>
#include <string>
#include <vector>

#include "job/view.h"
#include "kube/pods/pod.h"

namespace slaq::kube::pods {

// Of each container of the template that has CPU; the requests' sum is `cores`, but every container keeps a
// thousandth at least.
std::vector<ContainerCpu> spread(const PodTemplate& pod, Cores cores);

// Writes them into a pod's spec: a JSON object with containers.
void assignCpu(rapidjson::Value& podSpec, const std::vector<ContainerCpu>& goals,
               rapidjson::Document::AllocatorType& allocator);

// True when the pod's spec asks for them already. Containers that others put into the pod are left alone.
bool asks(const OwnPod& pod, const std::vector<ContainerCpu>& goals);

// Of the pods that live the least that one asks for, in the template's containers; nothing where none lives.
std::optional<Cores> leastAsked(const PodTemplate& pod, const std::vector<OwnPod>& pods);

// The strategic merge patch of the pod's resize subresource. Refused by the server if the pod was replaced.
std::string resizeBody(const OwnPod& pod, const std::vector<ContainerCpu>& goals);

}  // namespace slaq::kube::pods
