#include "trainer/driver/driver_files.h"

#include <optional>

#include "trainer/io/files.h"
#include "trainer/training/checkpoint.h"

namespace slaq::trainer::driver {
namespace {

Result<void> checkApart(const DriverOptions& options) {
  if (options.history.empty() || options.checkpoint.empty()) return {};
  if (!io::areSame(options.history, options.checkpoint)) return {};
  return failure(ErrorKind::Invalid,
                 "--history and --checkpoint are the same file, " + options.history + "; name two files");
}

// Whether a checkpoint can be written is learnt at once.
Result<bool> openCheckpoint(const std::string& path, const problem::Problem& problem,
                            training::Training& training) {
  auto loaded = training::loadCheckpoint(path, problem, training);
  if (!loaded || *loaded) return loaded;
  const auto saved = training::saveCheckpoint(path, problem, training);
  if (!saved) return failure(ErrorKind::Invalid, "--checkpoint: " + saved.error().message);
  return false;
}

}  // namespace

Result<training::History> openFiles(const DriverOptions& options, const problem::Problem& problem,
                                    training::Training& training) {
  if (const auto apart = checkApart(options); !apart) return failure(apart.error());
  if (const auto fits = training::History::check(options.history); !fits) return failure(fits.error());
  if (!options.checkpoint.empty()) {
    const auto loaded = openCheckpoint(options.checkpoint, problem, training);
    if (!loaded) return failure(loaded.error());
  }
  std::optional<std::int64_t> from;
  if (training.progress()) from = training.progress()->iteration;
  return training::History::open(options.history, from);
}

}  // namespace slaq::trainer::driver
