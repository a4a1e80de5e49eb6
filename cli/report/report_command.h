// slaq report: what slaq would have done with the jobs of the last hours, and what that would have saved.
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace slaq::cli::report {

void addReportCommand(CLI::App& app, std::function<int()>& run);

}  // namespace slaq::cli::report
