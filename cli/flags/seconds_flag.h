// The check of a flag that takes seconds.
#pragma once

#include <CLI/CLI.hpp>

namespace slaq::cli::flags {

// From `least` to `most`, and a number: NaN is in every range that only asks what is outside.
CLI::Validator secondsBetween(double least, double most);

}  // namespace slaq::cli::flags
