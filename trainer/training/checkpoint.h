// A training on disk: its problem and all that it remembers, so that a driver that is started again goes on
// as if nothing had happened. The file has a checksum and is replaced as a whole.
#pragma once

#include <string>

#include "base/result.h"
#include "trainer/problem/problem.h"
#include "trainer/training/training.h"

namespace slaq::trainer::training {

// To be called between two rounds. Invalid if the file cannot be written.
Result<void> saveCheckpoint(const std::string& path, const problem::Problem& problem, Training& training);

// Sets the training to where the file left off. False, and nothing changed, if there is no file yet. Invalid
// if the file is damaged, or of another problem, whose first difference is then named.
Result<bool> loadCheckpoint(const std::string& path, const problem::Problem& problem, Training& training);

}  // namespace slaq::trainer::training
