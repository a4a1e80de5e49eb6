// What `slaq predict` is asked to do: the command line's words, read and checked.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "forecast/ensemble/fitted_constants.h"
#include "job/job.h"
#include "scheduler/state/settings.h"

namespace slaq {

struct PredictOptions {
  std::vector<std::string> files;
  std::string predictor = Settings().predictor;
  std::string constants;
  std::string convergence;
  std::string horizons = "1,5,10";
  std::string every = "1";
  std::string noise = "0";
  std::string seed = "1";
  std::string format = "json";
  bool timing = false;
};

// The predictor sees an iteration in so many, chosen at random between the two.
struct Gaps {
  std::size_t least = 1;
  std::size_t most = 1;
};

// How one trace is walked along.
struct Walk {
  std::string predictor = Settings().predictor;
  Convergence convergence = Convergence::Auto;
  std::vector<std::size_t> horizons;  // iterations ahead; ascending, not empty
  Gaps gaps = {};
  double noise = 0;  // what is seen is the truth times 1 + so much Gaussian noise
  std::uint64_t seed = 1;
  FittedConstants constants = defaultConstants();
  bool timed = false;
};

// Invalid, with the flag that makes no sense.
Result<Walk> readWalk(const PredictOptions& options);

}  // namespace slaq
