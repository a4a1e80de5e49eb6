// The labels and annotations that the child Jobs and the Service of a TrainingJob get from it, so that people
// find them by the same words. Pods have those of their template.
#pragma once

#include <rapidjson/document.h>

#include <map>
#include <string>
#include <string_view>

namespace slaq::kube::objects {

// False for keys by which programs know the objects that they manage. A child with such a key would look like
// an object of theirs: Kueue would suspend the child Jobs, Argo CD prune them.
bool isInherited(std::string_view key);

// The inherited entries of the object's `field`, which is "labels" or "annotations".
std::map<std::string, std::string> inheritedMetadata(const rapidjson::Value& object, std::string_view field);

}  // namespace slaq::kube::objects
