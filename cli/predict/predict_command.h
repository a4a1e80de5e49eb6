// `slaq predict`: how well a predictor forecasts the losses of recorded trainings.
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace slaq::cli::predict {

// Adds the subcommand. `run` is set to what is to be done if it is chosen; that gives the exit code.
void addPredictCommand(CLI::App& app, std::function<int()>& run);

}  // namespace slaq::cli::predict
