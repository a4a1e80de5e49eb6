// Finds the new values in a training's statuses, and the step after which they came.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "metrics/trainer_status.h"
#include "report/output/named_numbers.h"

namespace slaq::report {

class StatusReader {
 public:
  struct News {
    std::optional<double> step;  // empty if the training gives none
    std::vector<NamedNumber> values;
  };

  // Each status repeats the newest value of every metric. A value that was returned before is not new.
  News read(const metrics::TrainerStatus& status);

 private:
  std::optional<double> stepOf(const metrics::TrainerStatus& status);
  double lastStepOf(const metrics::TrainerStatus& status) const;

  std::map<std::string, double> told_;
  std::optional<double> step_;   // the newest step
  std::optional<double> epoch_;  // at that step
  std::optional<double> total_;  // the number of all steps
};

}  // namespace slaq::report
