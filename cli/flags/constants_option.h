// The option --constants of the commands that forecast recorded losses.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "simulate/input/constants_file.h"

namespace slaq::cli::flags {

void addConstantsOption(CLI::App& command, std::string& file);

// Returns the compiled-in constants if no file is named.
Result<forecast::FittedConstants> constantsIn(const std::string& file);

}  // namespace slaq::cli::flags
