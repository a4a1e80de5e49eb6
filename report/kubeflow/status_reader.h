// A reader that tells which values of a training's statuses are new, and after which step they came.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/kubeflow/trainer_status.h"

namespace slaq::report {

class StatusReader {
 public:
  struct News {
    std::optional<double> step;  // empty if the training tells none
    std::vector<NamedNumber> values;
  };

  // Each status repeats the newest value of every metric. A value that was told before is no news.
  News read(const TrainerStatus& status);

 private:
  std::optional<double> stepOf(const TrainerStatus& status);
  double lastStepOf(const TrainerStatus& status) const;

  std::map<std::string, double> told_;
  std::optional<double> step_;   // the newest
  std::optional<double> epoch_;  // at that step
  std::optional<double> total_;  // of steps
};

}  // namespace slaq::report
