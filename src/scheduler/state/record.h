// Conversions between a job's history and the data that outlive the controller: the record of an ended
// training, and the status of a running one.
#pragma once

#include "job/training_record.h"
#include "scheduler/state/history.h"

namespace slaq::scheduler {

// The record of a job that ended at `now` after `iterations` iterations, bounded to a few hundred bytes of
// text.
TrainingRecord recordOf(const JobHistory& history, double iterations, Time now);

// The trainer ended by itself at `now`, as a success. Shares its number of iterations with other jobs and
// keeps its record, once.
void updatePeersAtEnd(JobHistory& history, Time now, forecast::Predictor& predictor, Peers& peers);

// Teaches jobs of this kind what the training showed, as the training itself would have done.
void teach(const std::string& kind, const TrainingRecord& record, forecast::Predictor& predictor,
           Peers& peers);

// Restores a job that is new to this process from its status: its speeds at sizes, and the costs of its
// changes. REQUIRES: expect() was called for it.
void restore(JobHistory& history, const JobStatus& status);

}  // namespace slaq::scheduler
