// From what a job has shown to what outlives the controller, and back: the record of a training that ended,
// and the status of one that runs.
#pragma once

#include "job/training_record.h"
#include "scheduler/state/history.h"

namespace slaq::scheduler {

// Of a job that ended after so many iterations; bounded, a few hundred bytes as text.
TrainingRecord recordOf(const JobHistory& history, double iterations);

// The trainer ended by itself at `now`, as a success: tells other jobs how many iterations it did, and keeps
// the record of it. Once.
void updatePeersAtEnd(JobHistory& history, Time now, Peers& peers);

// Tells jobs of this kind what the training showed, as it would have told them itself.
void teach(const std::string& kind, const TrainingRecord& record, forecast::Predictor& predictor,
           Peers& peers);

// What the status of a job that this process did not know yet says that it has shown: its speed at sizes, and
// what changes cost it. REQUIRES: expect() was called for it.
void restore(JobHistory& history, const JobStatus& status);

}  // namespace slaq::scheduler
