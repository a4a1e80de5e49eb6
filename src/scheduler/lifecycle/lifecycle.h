// Where a job stands in its life, by what is seen of it alone: the first, per-job part of a decision.
#pragma once

#include "scheduler/state/plan.h"

namespace slaq::scheduler {

// The state, phase, held and (where it ends here) target and reason of one job. Jobs that may run come
// out as Pinned, Resizing, Reserved, Fair, Held, Learning or Quality; whether their minimum fits is decided
// later.
JobPlan phaseOf(const JobSnapshot& job, const Snapshot& snapshot, const Settings& settings);

// True for the phases that take part in the division of cores.
bool takesPart(Phase phase);

// Nothing new was read of a job's loss for so long: it is not known any more.
Seconds staleAfter(const Settings& settings);

// What the job shows first, its loss and its speed, ought to have been there by now: where others need so
// long for it, or where its workers do not even start. REQUIRES: not both are known.
bool isOverdue(const JobHistory& history, Time now, const Settings& settings);

// A job that ran before this process did keeps its workers for so long, or until its loss is known again.
inline constexpr Seconds kAdoption{30};

}  // namespace slaq::scheduler
