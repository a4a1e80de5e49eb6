// The kind of a training. Most trainings run a program that ran before, and trainings of one kind resemble
// each other.
#pragma once

#include <string>

#include "job/job.h"

namespace slaq {

inline constexpr const char* kKindLabel = "slaq.io/kind";

// The image of a command that needs none, since it runs on this machine.
inline constexpr const char* kThisMachine = "this-machine";

// The kind that the owner gives by the label, else the image and the words of the command and the arguments
// of the chief, without numbers. Empty if the template has none of these.
std::string kindOf(const TrainingJob& job);

}  // namespace slaq
