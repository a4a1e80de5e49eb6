// A directory in which a training logs scalars: TensorBoard's event files, or the files of MLflow's store.
#pragma once

#include <memory>
#include <string>

#include "report/output/scalar.h"

namespace slaq::report {

// Reads files that came or grew since the last call. Event files from before the program began are not read
// at all, and MLflow's files only from their former end on. A scalar's name begins with its directories, such
// as "validation/epoch_loss".
class LogDirectory {
 public:
  virtual ~LogDirectory() = default;
  virtual void read(const TellScalar& tell) = 0;
};

std::unique_ptr<LogDirectory> tensorBoardDirectory(const std::string& path);
// MLflow's file store: mlruns/EXPERIMENT/RUN/metrics/NAME, with lines of a time, a value and a step.
std::unique_ptr<LogDirectory> mlflowDirectory(const std::string& path);
// Sets the environment variables by which MLflow writes to that file store, unless they are set. Newer
// versions of MLflow write to a database by default. They write to files only if a variable allows it.
void announceMlflow(const std::string& path);

}  // namespace slaq::report
