// Starts a program that exports no metrics through slaq-report. An init container brings slaq-report into the
// pod, because the program's own image has none.
#pragma once

#include <rapidjson/document.h>

#include <string>

#include "job/job.h"

namespace slaq::kube::pods {

// Changes the pod's spec: the main container's command, its port for metrics, and the parts that bring
// slaq-report there. REQUIRES: spec.loss.from, and a command in the main container.
void startThroughReport(rapidjson::Value& podSpec, const JobSpec& spec, const std::string& image, int port,
                        rapidjson::Document::AllocatorType& allocator);

}  // namespace slaq::kube::pods
