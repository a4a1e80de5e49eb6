// Builds each job's status, which its users see, from views and plans.
#pragma once

#include <vector>

#include "job/status.h"
#include "ports/cluster.h"
#include "scheduler/state/plan.h"

namespace slaq::loop {

// The status to write for one job now. Conditions keep the transition times of the status last written
// (`job.view->status`).
JobStatus statusOf(const scheduler::JobSnapshot& job, const scheduler::JobPlan& plan,
                   const scheduler::Snapshot& snapshot, const scheduler::Settings& settings);

// How much a change of status matters to its readers.
enum class Urgency {
  None,   // nothing that a reader would see changed
  Drift,  // only numbers moved: worth a write now and then
  News,   // the state, a condition or the workers changed: write now
};
Urgency urgencyOf(const JobStatus& written, const JobStatus& next);

}  // namespace slaq::loop
