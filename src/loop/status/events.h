// The events that job owners see.
#pragma once

#include <vector>

#include "job/status.h"
#include "ports/cluster.h"

namespace slaq::loop {

// The events between two statuses that a job's owner would want to know.
std::vector<Event> eventsBetween(const JobStatus& written, const JobStatus& next);

}  // namespace slaq::loop
