// Finds the new values in the statuses of one training, and the step after which they came.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "metrics/trainer_status.h"

namespace slaq::metrics {

class StatusReader {
 public:
  struct News {
    std::optional<double> step;  // empty if the training gives none
    std::vector<NamedValue> values;
  };

  // Each status repeats the newest value of every metric. A value that was returned before is not new.
  News read(const TrainerStatus& status);

 private:
  std::optional<double> stepOf(const TrainerStatus& status);
  double lastStepOf(const TrainerStatus& status) const;

  std::map<std::string, double> told_;
  std::optional<double> step_;   // the newest step
  std::optional<double> epoch_;  // at that step
  std::optional<double> total_;  // the number of all steps
};

}  // namespace slaq::metrics
