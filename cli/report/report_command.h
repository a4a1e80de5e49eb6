// slaq report: tells what slaq would have saved in the last hours.
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace slaq::cli::report {

void addReportCommand(CLI::App& app, std::function<int()>& run);

}  // namespace slaq::cli::report
