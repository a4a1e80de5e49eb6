// A directory in which a training logs scalars: TensorBoard's event files, or the files of MLflow's store, in
// the newest run of those that are there.
#pragma once

#include <memory>
#include <string>

#include "report/output/scalar.h"

namespace slaq::report {

// Files that came or grew since the last call are read; those that were there before the program began are
// not. A scalar's name has the directories before it, such as "validation/epoch_loss".
class LogDirectory {
 public:
  virtual ~LogDirectory() = default;
  virtual void read(const TellScalar& tell) = 0;
};

std::unique_ptr<LogDirectory> tensorBoardDirectory(const std::string& path);
// MLflow's file store: mlruns/EXPERIMENT/RUN/metrics/NAME, with lines of a time, a value and a step.
std::unique_ptr<LogDirectory> mlflowDirectory(const std::string& path);

}  // namespace slaq::report
