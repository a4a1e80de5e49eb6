// The request to `slaq predict`: the command line's words, read and checked.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "forecast/ensemble/fitted_constants.h"
#include "job/job.h"
#include "scheduler/state/settings.h"
#include "simulate/input/trace.h"

namespace slaq::cli::predict {

struct PredictOptions {
  std::vector<std::string> files;
  simulate::TraceColumns columns;
  std::string predictor = scheduler::Settings().predictor;
  std::string constants;
  std::string mode;
  std::string convergence;
  std::string horizons = "1,5,10";
  std::string every = "1";
  std::string noise = "0";
  std::string seed = "1";
  std::string format = "json";
  bool timing = false;
  std::string report;  // the HTML file to write
};

// The number of iterations between two that the predictor sees, drawn at random from this range.
struct Gaps {
  std::size_t least = 1;
  std::size_t most = 1;
};

// The way in which a trace is replayed.
struct Walk {
  std::string predictor = scheduler::Settings().predictor;
  LossMode mode = LossMode::Minimize;
  Convergence convergence = Convergence::Auto;
  std::vector<std::size_t> horizons;  // iterations ahead; ascending, not empty
  Gaps gaps = {};
  double noise = 0;  // standard deviation of the relative Gaussian noise on the predictor's losses
  std::uint64_t seed = 1;
  forecast::FittedConstants constants = forecast::defaultConstants();
  bool timed = false;
};

// Invalid, with the name of the flag that has a mistake.
Result<Walk> readWalk(const PredictOptions& options);

}  // namespace slaq::cli::predict
