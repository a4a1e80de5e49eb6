// CSV files of two numbers in each line: traces and tables of speed.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace slaq::simulate {

// What a file's lines have to be, in words for people.
struct TwoColumns {
  std::string_view header;   // "iteration,loss"
  std::string_view meaning;  // "an iteration and a loss, as in 12,0.25"
};

// Tells `take` each line after the header, a whole number and a number; what it answers is what is wrong with
// the line. Invalid, with `file` and the line, for that and for anything else than the two columns.
Result<void> readTwoColumns(const std::string& file, std::string_view text, const TwoColumns& columns,
                            const std::function<std::optional<std::string>(std::size_t, double)>& take);

}  // namespace slaq::simulate
