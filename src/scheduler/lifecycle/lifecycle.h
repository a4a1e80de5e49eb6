// The stage of a job's life, judged by this job alone: the first, per-job part of a decision.
#pragma once

#include "scheduler/state/plan.h"

namespace slaq::scheduler {

// The state, phase, held size and (where the job ends here) target and reason of one job. A job that may run
// comes out as Resizing, Fair, Held or Quality. Later steps decide whether its minimum fits, and whether it
// is put on trial.
JobPlan phaseOf(const JobSnapshot& job, const Snapshot& snapshot, const Settings& settings);

// True for the phases that take part in the division of cores.
bool takesPart(Phase phase);

// The job is complete, has failed, or is being deleted.
bool isOver(const JobPlan& plan, const JobView& view);

// The job's workers are done and its driver is not. A new start, or a suspension for other jobs, would
// interrupt the driver's remaining work.
bool isClosing(const JobPlan& plan, const JobView& view);

// The job can't run as it is written: it breaks a rule, or the cluster refuses it.
bool isRefused(const JobPlan& plan, const JobView& view);

// If nothing new was read of a job's loss for this time, the loss counts as unknown.
Seconds staleAfter(const Settings& settings);

// A job is silent after this time without a new sample. The time follows from the spacing and the delay of
// its samples so far.
Seconds silentAfter(const JobHistory& history, const Settings& settings);

// True if the readings found nothing new for that time, or if there was no reading for five minutes. A job
// that is seldom read is not silent between two readings.
bool isSilent(const JobHistory& history, Time now, const Settings& settings);

// Nothing new is known of a running job since this process started or an outage ended: it was not its turn to
// be read yet, or reading it failed.
bool isUnread(const JobSnapshot& job);

}  // namespace slaq::scheduler
