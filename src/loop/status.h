// What is said to users about each job: the status of the resource and events, out of views and plans.
#pragma once

#include <vector>

#include "job/status.h"
#include "loop/ports.h"
#include "scheduler/state/plan.h"

namespace slaq {

// The status that should be written for one job now. Conditions keep their transition times from the status
// as last written (`job.view->status`).
JobStatus statusOf(const JobSnapshot& job, const JobPlan& plan, const Snapshot& snapshot,
                   const Settings& settings);

// How much a change of status matters to its readers.
enum class Urgency {
  None,   // nothing that a reader would see changed
  Drift,  // only numbers moved: worth a write now and then
  News,   // the state, a condition or the workers changed: write now
};
Urgency urgencyOf(const JobStatus& written, const JobStatus& next);

// What happened to a job between two statuses that its owner would want to be told.
std::vector<Event> eventsBetween(const JobStatus& written, const JobStatus& next);

}  // namespace slaq
