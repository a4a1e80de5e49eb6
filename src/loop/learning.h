// What all jobs showed since the last epoch, taken in and forecast anew. Jobs don't depend on each other
// there, so that several threads share them where they are many; what is learned is the same with any number.
#pragma once

#include <span>

#include "loop/ports.h"
#include "scheduler/state/history.h"

namespace slaq {

// One job's news.
struct Lesson {
  const JobLoss* loss = nullptr;  // outlives the learning
  JobHistory* history = nullptr;  // of this job alone; likewise
  Wishes wishes = {};
  int chiefFailures = 0;  // so far
};

Lesson lessonFor(const JobView& view, const JobLoss& loss, JobHistory& history);

// Every job is forecast by the population as it is at first; then the jobs teach it, in their order, on the
// calling thread. `threads` is how many work at most (base/share_work.h).
void learnAll(std::span<const Lesson> lessons, Predictor& predictor, std::size_t threads);

// As many as so many jobs are worth on this machine: the calling one alone below a few hundred.
std::size_t threadsFor(std::size_t jobs);

}  // namespace slaq
