// What of the forecasts of one recorded training does not depend on which experts are in the table:
// everything but their weights. It is computed once, so that a table can be scored in a few milliseconds.
#pragma once

#include <optional>
#include <vector>

#include "scoring/candidates.h"

namespace slaq::evaluation {

// A number for each candidate.
using CandidateNumbers = std::array<float, kCandidates>;

// Losses as a predictor sees them, and what came in truth.
struct RecordedSeries {
  std::vector<double> truth;       // by iteration, from 0 on
  std::vector<double> iterations;  // those seen, ascending
  std::vector<double> losses;      // as seen
  double range = 1;                // of the truth: errors are shares of it
};

// By how much each candidate's earlier forecast was off, in units of the range seen at that time.
struct RecordedError {
  float times = 0;
  CandidateNumbers errors{};
};

// What the forecast 10 iterations ahead is made of.
struct PreparedForecast {
  double iteration = 0;
  double loss = 0;
  double unit = 0;      // 0 where the forecast is a constant
  double height = 0;    // of the newest loss above the known floor, in units; 0 without one
  double denoised = 0;  // the denoiser's share
  double far = 0;       // the farther iteration ahead that the hyperbola goes through
  double truth = 0;     // the loss 10 iterations later
  // Changes from the newest loss: at once, near and far; of the denoiser, and of each candidate in units.
  std::array<double, 3> byDenoiser{};
  std::array<CandidateNumbers, 3> changes{};
  std::array<CandidateNumbers, 3> logarithms{};  // of 1 + change/height, as the logarithmic mean takes them
  CandidateNumbers known{};                      // 1 for candidates that can forecast
};

struct PreparedStep {
  std::vector<RecordedError> recorded;
  std::optional<PreparedForecast> forecast;  // where it is scored
};

struct PreparedSeries {
  std::vector<PreparedStep> steps;
  double range = 1;
};

// Forecasts are scored at one of `every` iterations, from the 5th to the 100th, as `slaq predict` does
// with 1.
PreparedSeries prepare(const RecordedSeries& series, std::size_t every);

}  // namespace slaq::evaluation
