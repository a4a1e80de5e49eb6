#include "trainer/driver_files.h"

#include <optional>

#include "trainer/checkpoint.h"
#include "trainer/files.h"

namespace slaq::trainer {
namespace {

Result<void> checkApart(const DriverOptions& options) {
  if (options.history.empty() || options.checkpoint.empty()) return {};
  if (!areSame(options.history, options.checkpoint)) return {};
  return failure(ErrorKind::Invalid,
                 "--history and --checkpoint are the same file, " + options.history + "; name two files");
}

// Whether a checkpoint can be written is learnt at once.
Result<bool> openCheckpoint(const std::string& path, const Problem& problem, Training& training) {
  auto loaded = loadCheckpoint(path, problem, training);
  if (!loaded || *loaded) return loaded;
  const auto saved = saveCheckpoint(path, problem, training);
  if (!saved) return failure(ErrorKind::Invalid, "--checkpoint: " + saved.error().message);
  return false;
}

}  // namespace

Result<History> openFiles(const DriverOptions& options, const Problem& problem, Training& training) {
  if (const auto apart = checkApart(options); !apart) return failure(apart.error());
  if (const auto fits = History::check(options.history); !fits) return failure(fits.error());
  if (!options.checkpoint.empty()) {
    const auto loaded = openCheckpoint(options.checkpoint, problem, training);
    if (!loaded) return failure(loaded.error());
  }
  std::optional<std::int64_t> from;
  if (training.progress()) from = training.progress()->iteration;
  return History::open(options.history, from);
}

}  // namespace slaq::trainer
