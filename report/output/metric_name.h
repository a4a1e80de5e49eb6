// What the name of a number says of it: whether it is a loss, and of which data.
#pragma once

#include <string_view>

namespace slaq::report {

enum class Meaning {
  Nothing,    // no measure of a model's quality
  Minimized,  // a loss or an error
  Maximized,  // an accuracy, a reward
};

struct Metric {
  Meaning meaning = Meaning::Nothing;
  bool isLoss = false;        // it is called so
  bool isValidation = false;  // of data that is not trained on
};

// `name` in lower case: "val_loss", "eval-logloss", "valid_1's auc", "train loss".
Metric metricOf(std::string_view name);

// The smaller, the better it tells how far a training is: a loss of validation data before one of training
// data, losses before other errors, these before what is to rise. REQUIRES: it has a meaning.
int rankOf(const Metric& metric);

enum class Counter { None, Epoch, Step };

// Whether the name counts the iterations of a training.
Counter counterOf(std::string_view name);

}  // namespace slaq::report
