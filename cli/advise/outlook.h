// Where `slaq advise` takes its knowledge of a training from: what the controller wrote into a job's status,
// or files with what was measured elsewhere.
#pragma once

#include <string>

#include "base/result.h"
#include "cli/advise/advice.h"
#include "job/job.h"
#include "simulate/input/scaling.h"
#include "simulate/input/trace.h"

namespace slaq::cli::advise {

// From now on. Invalid, with a sentence, where the job shows too little yet.
Result<Outlook> outlookOf(const JobSpec& spec, const JobStatus& status);

// Of a whole run from its start: sizes up to twice the largest that was measured, and the loss as in the
// trace, and beyond it as it is forecast. Invalid where the job may have no size of which anything is known.
Result<Outlook> outlookOf(const JobSpec& spec, const simulate::Trace& recorded,
                          const simulate::Scaling& scaling);

}  // namespace slaq::cli::advise
