// Which trainings resemble each other: most run the program of one that ran before.
#pragma once

#include <string>

#include "job/job.h"

namespace slaq {

inline constexpr const char* kKindLabel = "slaq.io/kind";

// What its owner says by the label; else the image, the command and the arguments of its chief, without the
// numbers in them. Empty if the template says nothing of it.
std::string kindOf(const TrainingJob& job);

}  // namespace slaq
