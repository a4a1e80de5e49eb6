// Jobs in a queue: the rules by which slaq asks the queue for quota and gives it back. The queue's quota
// counts pods, so quota is asked for before pods are made, and is given back once they are gone.
#pragma once

#include <optional>

#include "scheduler/state/plan.h"

namespace slaq::scheduler {

// True if the queue has admitted this number of workers, or the job is in no queue.
bool isWithinQuota(const JobView& view, Workers workers);

// The request that follows from the job's own plan. It enters the queue, withdraws an earlier request, gives
// back quota that no pod uses, or tells whether the pods are ready and what an eviction would cost. Empty if
// the queue knows all that already. Whether a job may ask for more depends on other jobs too: requestGrowth.
std::optional<RequestQuota> requestOf(const JobView& view, const JobPlan& plan);

// The request for more workers than the queue has admitted; empty if it was asked for them already.
std::optional<RequestQuota> requestGrowth(const JobView& view, const JobPlan& plan, Workers workers);

}  // namespace slaq::scheduler
