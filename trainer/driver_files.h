// The files that a driver keeps: its checkpoint and its history.
#pragma once

#include "base/result.h"
#include "trainer/driver.h"
#include "trainer/history.h"

namespace slaq::trainer {

// Takes the training to where the checkpoint left off, if there is one, and opens the history there. Invalid
// if a file cannot be used for its purpose; what was in it is then untouched.
Result<History> openFiles(const DriverOptions& options, const Problem& problem, Training& training);

}  // namespace slaq::trainer
