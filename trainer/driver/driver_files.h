// The files that a driver keeps: its checkpoint and its history.
#pragma once

#include "base/result.h"
#include "trainer/driver/driver_options.h"
#include "trainer/problem/problem.h"
#include "trainer/training/history.h"
#include "trainer/training/training.h"

namespace slaq::trainer::driver {

// Takes the training to where the checkpoint left off, if there is one, and opens the history there. Invalid
// if a file cannot be used for its purpose; what was in it is then untouched.
Result<training::History> openFiles(const DriverOptions& options, const problem::Problem& problem,
                                    training::Training& training);

}  // namespace slaq::trainer::driver
