// The check of a flag that takes a number.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace slaq::cli::flags {

// From `least` to `most`, and a number: NaN is in every range that only asks what is outside.
CLI::Validator numberBetween(double least, double most, const std::string& unit);
CLI::Validator secondsBetween(double least, double most);

}  // namespace slaq::cli::flags
