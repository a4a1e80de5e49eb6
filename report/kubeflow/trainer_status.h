// Reads what a training posts by the protocol of Kubeflow Trainer (TrainJob's runtime status).
#pragma once

#include <optional>
#include <string_view>

#include "metrics/trainer_status.h"

namespace slaq::report {

// Empty if the text is not a JSON object with the member trainerStatus.
std::optional<metrics::TrainerStatus> trainerStatusFrom(std::string_view json);

}  // namespace slaq::report
