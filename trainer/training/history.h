// The loss curve as a CSV file, a line for each iteration, on disk as soon as it is known.
#pragma once

#include <cstdint>
#include <fstream>
#include <optional>
#include <string>

#include "base/result.h"
#include "trainer/training/training.h"

namespace slaq::trainer::training {

class History {
 public:
  // Invalid if the file has something else than a history: it would be lost.
  static Result<void> check(const std::string& path);
  // Empties the file, or goes on after the iteration `from`: what the file has beyond it is dropped.
  // Without a path nothing is written.
  static Result<History> open(const std::string& path, std::optional<std::int64_t> from = std::nullopt);
  void add(const Progress& progress);

 private:
  std::optional<std::ofstream> file_;
};

}  // namespace slaq::trainer::training
