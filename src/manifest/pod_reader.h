// Reads the parts of a pod template that slaq uses. The whole template is kept as text for the cluster.
#pragma once

#include <rapidjson/document.h>

#include "job/job.h"
#include "manifest/object_reader.h"

namespace slaq::manifest {

// A quantity of cores under `key`, if there is one.
void readCores(ObjectReader& object, std::string_view key, std::optional<Cores>& into);

// Reads the PodTemplateSpec under `key`, whose absence is a violation. `resource` is what capacity is counted
// in.
void readPodTemplate(ObjectReader& parent, std::string_view key, std::string_view resource,
                     PodTemplate& into);

// What the workers of a TrainingJob request: "cpu", or where none of their containers does, the first
// extended resource, such as "nvidia.com/gpu". "cpu" where there is neither.
std::string resourceIn(const rapidjson::Value& trainingJob);

}  // namespace slaq::manifest
