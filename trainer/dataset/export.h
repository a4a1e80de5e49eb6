// Writes the rows of a problem's data to a file, so that other programs can train on the same.
#pragma once

#include <string>

#include "base/result.h"
#include "trainer/data/formats/formats.h"
#include "trainer/problem/problem.h"

namespace slaq::trainer::dataset {

struct ExportOptions {
  problem::Problem problem;    // complete, but for the sizes of data from files
  data::formats::Files files;  // to read
  std::string format;          // to write
  data::formats::Files outputs;
};

// Invalid if the format cannot hold the data or the file cannot be written.
Result<void> exportData(const ExportOptions& options);

}  // namespace slaq::trainer::dataset
