// The check of a flag that takes a number.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace slaq::cli::flags {

// Accepts numbers from `least` to `most`. It also refuses NaN, which a check for numbers out of range would
// accept.
CLI::Validator numberBetween(double least, double most, const std::string& unit);
CLI::Validator secondsBetween(double least, double most);

}  // namespace slaq::cli::flags
