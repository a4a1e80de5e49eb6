// The plan of a job in words.
#pragma once

#include <string>

#include "scheduler/state/plan.h"

namespace slaq::scheduler {

// "4", or "1500m each" where the job scales by CPU, "1.5 cores" with one worker.
std::string sizeText(const Size& size);

// True if the job runs and is to have another size.
bool isResized(const JobPlan& plan);

// "keeps 4", "4 -> 8", "1500m -> 2 each", "starts with 4".
std::string changeText(const JobPlan& plan);

// The whole sentence: "4 -> 8: a ninth worker would gain 0.0021, under the price 0.0043; waits for 3 cores
// that others are giving back". For a job that takes no part in the division it is only the reason.
std::string sentenceOf(const JobPlan& plan);

// "; waits for 3 cores that others are giving back", or nothing.
std::string awaitedText(const JobPlan& plan);

}  // namespace slaq::scheduler
