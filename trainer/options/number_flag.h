// The checks of flags that take a number: a sentence says what to write instead.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <limits>

namespace slaq::trainer::options {

// To be given as transform(): from `least` on, also with an exponent, as in 1e6.
CLI::Validator wholeNumber(std::uint64_t least,
                           std::uint64_t most = std::numeric_limits<std::int64_t>::max());
// To be given as check(): from `least` to `most`; NaN is not between them.
CLI::Validator number(double least, double most = std::numeric_limits<double>::max());

}  // namespace slaq::trainer::options
