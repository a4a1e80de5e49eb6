// The labels and annotations of a TrainingJob with which its child Jobs and its Service are created, so that
// people find them by the same words. Pods have those of their template.
#pragma once

#include <rapidjson/document.h>

#include <map>
#include <string>
#include <string_view>

namespace slaq::kube::objects {

// False for keys by which programs know the objects that they manage themselves: on a child they would take
// slaq's for theirs. Kueue would suspend the child Jobs, Argo CD prune them.
bool isInherited(std::string_view key);

// The inherited ones of `field`, which is "labels" or "annotations", of the object.
std::map<std::string, std::string> inheritedMetadata(const rapidjson::Value& object, std::string_view field);

}  // namespace slaq::kube::objects
