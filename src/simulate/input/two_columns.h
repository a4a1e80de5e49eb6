// CSV files of two numbers in each line: traces and tables of speed.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace slaq::simulate {

// The form of a file's lines, in words for error messages.
struct TwoColumns {
  std::string_view header;   // "iteration,loss"
  std::string_view meaning;  // "an iteration and a loss, as in 12,0.25"
};

// Calls `take` with the whole number and the number of each line after the header. `take` returns the mistake
// in the line, if there is one. Invalid, with `file` and the line, for such a mistake and for anything else
// than the two columns.
Result<void> readTwoColumns(const std::string& file, std::string_view text, const TwoColumns& columns,
                            const std::function<std::optional<std::string>(std::size_t, double)>& take);

}  // namespace slaq::simulate
