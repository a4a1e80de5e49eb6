// A pod template into the parts that slaq reads. The rest is kept as text and handed on unread.
#pragma once

#include <rapidjson/document.h>

#include "job/job.h"
#include "manifest/object_reader.h"

namespace slaq {

// Reads the PodTemplateSpec under `key`, whose absence is a violation.
void readPodTemplate(ObjectReader& parent, std::string_view key, PodTemplate& into);

}  // namespace slaq
