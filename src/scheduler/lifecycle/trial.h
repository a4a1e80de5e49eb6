// A job that always had the same number of workers, or more, tries fewer of them for once: nothing else tells
// whether all of them make it faster.
#pragma once

#include <optional>

#include "scheduler/lifecycle/decision_context.h"

namespace slaq::scheduler {

// The workers with which the job is to be measured now. Empty where neither it nor its kind lacks such a
// measurement, where it would be faster with more workers, or where a trial would cost more than a twentieth
// of the time since its last change.
std::optional<Workers> trialOf(const JobSnapshot& job, Time now, const Settings& settings);

// Puts jobs on trial that a forecast would decide, where all admitted jobs could have all that they may:
// where they compete, they change often enough, and what one does not use others do. Only policies that learn
// from other jobs try.
void beginTrials(const DecisionContext& context, const std::vector<std::size_t>& admitted,
                 std::vector<JobPlan>& plans);

}  // namespace slaq::scheduler
