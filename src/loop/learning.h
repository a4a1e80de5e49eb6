// Takes in what all jobs showed since the last epoch and forecasts their losses again. Jobs do not depend on
// each other there, so that several threads share them where they are many; the results are the same with any
// number of threads.
#pragma once

#include <span>

#include "ports/loss_source.h"
#include "scheduler/state/history.h"

namespace slaq::loop {

// What one job showed since the last epoch.
struct JobObservation {
  const JobLoss* loss = nullptr;             // outlives the update
  scheduler::JobHistory* history = nullptr;  // of this job alone; likewise
  scheduler::Wishes wishes = {};
  int chiefFailures = 0;  // so far
  LossMode mode = LossMode::Minimize;
};

JobObservation observationOf(const JobView& view, const JobLoss& loss, scheduler::JobHistory& history);

// Every job is forecast by the predictor as it is at first; then the predictor and what is known of the peers
// are updated by the jobs that are due, in their order, on the calling thread. `threads` is how many work at
// most (base/share_work.h).
void updateAll(std::span<const JobObservation> jobs, forecast::Predictor& predictor, scheduler::Peers& peers,
               std::size_t threads);

// How many threads this number of jobs is worth on this machine: the calling one alone below a few hundred.
std::size_t threadsFor(std::size_t jobs);

}  // namespace slaq::loop
