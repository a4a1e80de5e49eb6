// The sources of what `slaq advise` knows about a training: the status that the controller wrote, or files
// with measurements from elsewhere.
#pragma once

#include <string>

#include "base/result.h"
#include "cli/advise/advice.h"
#include "job/job.h"
#include "simulate/input/scaling.h"
#include "simulate/input/trace.h"

namespace slaq::cli::advise {

// The outlook from the present moment on. Invalid, with a sentence, if too little is known of the job yet.
Result<Outlook> outlookOf(const JobSpec& spec, const JobStatus& status);

// The outlook of a whole run from its start: sizes up to twice the largest measured one, and the loss of the
// trace with its forecast after the trace. Invalid if no size that the job may have is known.
Result<Outlook> outlookOf(const JobSpec& spec, const simulate::Trace& recorded,
                          const simulate::Scaling& scaling);

}  // namespace slaq::cli::advise
