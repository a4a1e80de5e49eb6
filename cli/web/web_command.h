// `slaq web`: the TrainingJobs of a cluster, or of slaq serve, as a page for browsers.
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace slaq::cli::web {

void addWebCommand(CLI::App& app, std::function<int()>& run);

}  // namespace slaq::cli::web
