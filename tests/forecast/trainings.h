// Losses of the kinds that trainings have, and series of them, for tests of forecasts.
#pragma once

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "forecast/series/loss_series.h"

namespace slaq::test {

using LossAt = std::function<double(double)>;

struct Training {
  std::string name;
  LossAt loss;
};

// The losses after every `step`th iteration from 0 to `to`.
inline forecast::LossSeries seriesOf(const LossAt& loss, int to, int step = 1) {
  forecast::LossSeries series;
  for (int k = 0; k <= to; k += step) series.add(Iterations(k), Loss(loss(k)));
  return series;
}

// Halved after 50 iterations.
inline double slowFall(double k) { return 1 / (1 + 0.02 * k); }

// All fall from 1 at iteration 0, by most of it within 200 iterations.
inline std::vector<Training> convexTrainings() {
  return {
      {"reciprocal", [](double k) { return 1 / (1 + 0.2 * k); }},
      {"reciprocal with a floor", [](double k) { return 0.3 + 0.7 / (1 + 0.1 * k); }},
      {"reciprocal square", [](double k) { return 0.1 + 0.9 / ((1 + 0.05 * k) * (1 + 0.05 * k)); }},
      {"reciprocal root", [](double k) { return 1 / std::sqrt(1 + k); }},
      {"exponential", [](double k) { return std::exp(-0.03 * k); }},
      {"exponential with a floor", [](double k) { return 0.2 + 0.8 * std::exp(-0.05 * k); }},
      {"fast then slow", [](double k) { return 0.2 + 0.4 * std::exp(-0.3 * k) + 0.4 * std::exp(-0.02 * k); }},
      {"sum of both", [](double k) { return 0.1 + 0.5 / (1 + 0.3 * k) + 0.4 * std::exp(-0.04 * k); }},
  };
}

inline std::vector<Training> otherTrainings() {
  return {
      {"sigmoid", [](double k) { return 1 - 0.8 / (1 + std::exp(-0.15 * (k - 50))); }},
      {"plateau",
       [](double k) { return k < 30   ? 1 - 0.01 * k
                             : k < 60 ? 0.7
                                      : 0.7 * std::exp(-0.03 * (k - 60)); }},
      {"steps of the learning rate",
       [](double k) {
         const double stage = std::floor(k / 40);
         return std::pow(0.5, stage) * (0.4 + 0.6 * std::exp(-0.2 * (k - 40 * stage)));
       }},
      {"rising", [](double k) { return 1 + 0.01 * k; }},
  };
}

}  // namespace slaq::test
