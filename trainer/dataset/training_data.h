// The data of a training as the driver opens them: a generator's, which every worker can make, or a file's,
// which the driver reads and sends.
#pragma once

#include <memory>

#include "base/result.h"
#include "trainer/data/formats/formats.h"
#include "trainer/data/source.h"
#include "trainer/problem/problem.h"

namespace slaq::trainer::dataset {

struct TrainingData {
  problem::Problem problem;  // with the sizes of the data
  std::shared_ptr<const data::Source> source;
  bool travels = false;  // workers have their rows from the driver
};

// Reads the files if the problem's data are of a file format. Invalid or Malformed, with a sentence that says
// where and what, if they cannot be read or are not what the algorithm takes.
Result<TrainingData> openData(const problem::Problem& problem, const data::formats::Files& files);

}  // namespace slaq::trainer::dataset
