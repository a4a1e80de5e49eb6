// The progress of a training by the protocol of Kubeflow Trainer (TrainJob's runtime status): a JSON object
// that the training posts every few seconds.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "report/output/named_numbers.h"

namespace slaq::report {

struct TrainerStatus {
  std::optional<double> percent;     // of the whole training
  std::vector<NamedNumber> metrics;  // the metrics with numbers as values; names in lower case

  bool operator==(const TrainerStatus&) const = default;
};

// Empty if the text is not such an object.
std::optional<TrainerStatus> trainerStatusFrom(std::string_view json);

}  // namespace slaq::report
