// Replays a trace as if it were live: after every iteration that the predictor sees, its forecasts are
// compared with the later losses. The forecasts are made as in the controller, by learning and refitting a
// job's history.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/predict/predict_request.h"
#include "simulate/input/trace.h"

namespace slaq::cli::predict {

// Forecasts are made after these iterations.
inline constexpr std::size_t kFirstForecast = 5;
inline constexpr std::size_t kLastForecast = 100;

// The mean error of forecasts `horizon` iterations ahead. Empty if there is none: without forecasts, for a
// true loss of 0, or for a loss that never fell.
struct HorizonError {
  std::size_t horizon = 0;
  std::optional<double> ofLoss = {};   // |forecast - true| / |true|
  std::optional<double> ofRange = {};  // |forecast - true| / (first - lowest)
};

// The forecasts that were made `horizon` iterations ahead.
struct HorizonCurve {
  std::size_t horizon = 0;
  std::vector<std::size_t> iterations = {};  // the forecast iterations, rising
  std::vector<double> losses = {};           // one for each iteration
};

struct WalkResult {
  std::string file;
  std::size_t forecasts = 0;
  std::vector<HorizonError> errors;  // in the order of the horizons
  std::optional<double> microsecondsPerFit = {};
  std::vector<double> losses = {};        // as recorded, up to the last forecast
  double range = 0;                       // first - lowest; highest - first for a metric that rises
  std::vector<HorizonCurve> curves = {};  // in the order of the horizons
};

// `file` is the name of the trace.
WalkResult walkAlong(const std::string& file, const simulate::Trace& trace, const Walk& walk);

// The means over the files that have the figure.
WalkResult meanOf(const std::vector<WalkResult>& results);

}  // namespace slaq::cli::predict
