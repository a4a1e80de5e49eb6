// `slaq predict`: measures how well a predictor forecasts the losses of recorded trainings.
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace slaq::cli::predict {

// Adds the subcommand. If chosen, it sets `run` to a function that returns the exit code.
void addPredictCommand(CLI::App& app, std::function<int()>& run);

}  // namespace slaq::cli::predict
