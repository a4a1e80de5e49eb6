// Where a job stands in its life, by what is seen of it alone: the first, per-job part of a decision.
#pragma once

#include "scheduler/state/plan.h"

namespace slaq::scheduler {

// The state, phase, held and (where it ends here) target and reason of one job. Jobs that may run come
// out as Pinned, Resizing, Reserved, Fair, Held, Learning or Quality; whether their minimum fits, and whether
// they are put on trial, is decided later.
JobPlan phaseOf(const JobSnapshot& job, const Snapshot& snapshot, const Settings& settings);

// True for the phases that take part in the division of cores.
bool takesPart(Phase phase);

// If nothing new was read of a job's loss for this time, the loss is not known any more.
Seconds staleAfter(const Settings& settings);

// Before it is known when samples come, they may come as seldom as Prometheus scrapes by its own default.
inline constexpr Seconds kLongestScrapeInterval{60};

// A job is silent after so long without a new sample: by the spacing and the delay that its samples had so
// far.
Seconds silentAfter(const JobHistory& history, const Settings& settings);

// A reading found nothing new for so long, or there was none for kLongestUnread. A job whose turn to be read
// comes seldom is not silent meanwhile.
bool isSilent(const JobHistory& history, Time now, const Settings& settings);

// A job that has shown no loss yet should have: its workers have run for long enough, or do not start.
// REQUIRES: it has shown none.
bool isOverdue(const JobHistory& history, Time now, const Settings& settings);

// A job that ran before this process did keeps its workers for this time, or until its loss is known again.
inline constexpr Seconds kAdoption{30};

// Nothing new is known of a job that runs: after a start of this process or an outage it was not its turn to
// be read yet, or reading it failed.
bool isUnread(const JobSnapshot& job);

// One whose loss cannot be read, though that of others can, keeps them for this time.
inline constexpr Seconds kLongestUnread{300};

}  // namespace slaq::scheduler
