// Fills the view of a job from its target.
#pragma once

#include <optional>
#include <string>

#include "job/view.h"
#include "kube/targets/target.h"

namespace slaq::kube::targets {

WorkersView workersOf(const Target& target, const WorkerGroup& group, const PodCounts& pods);

// The pods of the object that stay as they are count as those of a driver.
DriverView driverOf(const Target& target);

// The maker tells its end also after the object that it made is gone.
void setEnd(JobView& view, const TargetMaker& maker);

// The sizes that both the TrainingJob and the object itself allow; empty if there are none.
std::optional<WorkersSpec> narrowed(WorkersSpec workers, const WorkerGroup& group);

// The object's own bounds, for a message.
std::string boundsOf(const WorkerGroup& group);

}  // namespace slaq::kube::targets
