// The events that are told to the owners of jobs.
#pragma once

#include <vector>

#include "job/status.h"
#include "ports/cluster.h"

namespace slaq::loop {

// What happened to a job between two statuses that its owner would want to be told.
std::vector<Event> eventsBetween(const JobStatus& written, const JobStatus& next);

}  // namespace slaq::loop
