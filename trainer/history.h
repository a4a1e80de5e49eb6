// The loss curve as a CSV file, a line for each iteration, on disk as soon as it is known.
#pragma once

#include <fstream>
#include <optional>
#include <string>

#include "base/result.h"
#include "trainer/training.h"

namespace slaq::trainer {

class History {
 public:
  // Begins the file anew. Without a path nothing is written.
  static Result<History> open(const std::string& path);
  void add(const Progress& progress);

 private:
  std::optional<std::ofstream> file_;
};

}  // namespace slaq::trainer
