// The least time that a workload takes, so that a run that would never end is refused before it begins.
#pragma once

#include <optional>
#include <string>

#include "simulate/input/workload.h"

namespace slaq::simulate {

// The reason why the workload can't be over within this number of epochs with active jobs: a sentence that
// says what to change. Empty if it might be.
std::optional<std::string> whyTooLong(const Workload& workload, double epochs);

}  // namespace slaq::simulate
