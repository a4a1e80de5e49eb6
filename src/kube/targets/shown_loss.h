// The loss that the status of a target's maker shows, such as that of a TrainJob.
#pragma once

#include <optional>
#include <string>

#include "job/view.h"
#include "kube/targets/target.h"

namespace slaq::kube::targets {

// Empty where the maker shows no progress, or where the job has queries of its own: then the loss is read as
// that of other jobs. `name` is the maker's, for a message.
std::optional<ShownLoss> shownLossOf(const TargetMaker& maker, const LossSpec& loss, const std::string& name);

}  // namespace slaq::kube::targets
