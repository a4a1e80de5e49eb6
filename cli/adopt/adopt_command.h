// slaq adopt: prints or creates TrainingJobs for workloads that exist already.
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace slaq::cli::adopt {

void addAdoptCommand(CLI::App& app, std::function<int()>& run);

}  // namespace slaq::cli::adopt
