// Decides by the name of a number whether it is a loss, and whether it belongs to validation data.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

namespace slaq::metrics {

// The name of a number that begins a line, and stands for a step.
inline constexpr const char* kIndex = "index";

enum class Meaning {
  Nothing,    // does not measure a model's quality
  Minimized,  // a loss or an error
  Maximized,  // an accuracy, a reward
};

struct Metric {
  Meaning meaning = Meaning::Nothing;
  bool isLoss = false;        // its name says loss
  bool isValidation = false;  // measured on data that is not trained on
};

// `name` in lower case: "val_loss", "eval-logloss", "valid_1's auc", "train loss".
Metric metricOf(std::string_view name);

// Returns 0 for the metric that best shows the progress of a training: a loss of validation data. A loss of
// training data is next, then other errors, and at last metrics that rise. REQUIRES: the metric has a
// meaning.
int rankOf(const Metric& metric);

enum class Counter {
  None,
  Epoch,
  Step,
  Batch,  // a step that many programs count from the beginning in each epoch
};

// Returns the kind of iterations that a number of that name counts, if it counts any.
Counter counterOf(std::string_view name);

struct NameMeaning {
  Metric metric;
  Counter counter = Counter::None;
};

// Caches the meanings of names. Most names occur again in each line, and finding the meaning of a name takes
// longer than all other work on a line.
class NameMeanings {
 public:
  // The reference is valid until the next call.
  const NameMeaning& of(const std::string& name);

 private:
  static constexpr std::size_t kMost = 256;  // names of files come and go

  std::map<std::string, NameMeaning> known_;
};

}  // namespace slaq::metrics
