// The progress of a training in the words of Kubeflow Trainer: the object trainerStatus, which a training
// posts every few seconds, and which the status of a TrainJob shows.
#pragma once

#include <rapidjson/document.h>

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace slaq::metrics {

struct NamedValue {
  std::string name;  // in lower case
  double value = 0;

  bool operator==(const NamedValue&) const = default;
};

struct TrainerStatus {
  std::optional<double> percent;    // of the whole training
  std::vector<NamedValue> metrics;  // the metrics with numbers as values

  bool operator==(const TrainerStatus&) const = default;
};

// Metrics that are no numbers are left out. `trainerStatus` may be any value.
TrainerStatus readTrainerStatus(const rapidjson::Value& trainerStatus);

// The value of the first of these names that the status has.
std::optional<double> valueOf(const TrainerStatus& status, std::initializer_list<std::string_view> names);

// The number of steps that are done, where the training tells it.
std::optional<double> stepOf(const TrainerStatus& status);
// The number of epochs that are done, which may be a fraction, where the training tells it.
std::optional<double> epochOf(const TrainerStatus& status);

}  // namespace slaq::metrics
