// Takes in the samples of all jobs since the last epoch and updates their forecasts. Jobs do not depend on
// each other here, so several threads share them when there are many. The results are the same with any
// number of threads.
#pragma once

#include <span>

#include "ports/loss_source.h"
#include "scheduler/state/history.h"

namespace slaq::loop {

// The observation of one job since the last epoch.
struct JobObservation {
  const JobLoss* loss = nullptr;             // outlives the update
  scheduler::JobHistory* history = nullptr;  // of this job alone; outlives the update
  scheduler::Wishes wishes = {};
  LossMode mode = LossMode::Minimize;
};

JobObservation observationOf(const JobView& view, const JobLoss& loss, scheduler::JobHistory& history);

// Forecasts every job by the predictor as it is at the call. Then it updates the predictor and the knowledge
// of peers by the jobs that are due, in their order, on the calling thread. At most `threads` threads work
// (base/share_work.h).
void updateAll(std::span<const JobObservation> jobs, forecast::Predictor& predictor, scheduler::Peers& peers,
               std::size_t threads);

// The number of threads that this many jobs are worth on this machine. Below a few hundred jobs it is the
// calling thread alone.
std::size_t threadsFor(std::size_t jobs);

}  // namespace slaq::loop
