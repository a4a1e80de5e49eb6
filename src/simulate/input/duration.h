// How long a workload takes at least: what would not end in anybody's time is told before it begins.
#pragma once

#include <optional>
#include <string>

#include "simulate/input/workload.h"

namespace slaq::simulate {

// Why the workload can't be over within a number of epochs in which any job is active: a sentence, with what
// to change. Empty if it might.
std::optional<std::string> whyTooLong(const Workload& workload, double epochs);

}  // namespace slaq::simulate
