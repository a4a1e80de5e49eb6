// The numbers of a line of output with the names that the line gives them: "Epoch 3/10, loss = 0.4" has an
// epoch of 3 in 10 and a loss of 0.4. The code knows no particular library, since all of them write names and
// numbers.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace slaq::report {

struct NamedNumber {
  // In lower case, without quotes; empty where the line gives none. metrics::kIndex is the name of a number
  // that begins its line and that a bracket or a colon ends, as in "[12] loss: 0.4".
  std::string name;
  double value = 0;
  std::optional<double> of = {};  // the 10 of "3/10"
  bool isPercentage = false;

  bool operator==(const NamedNumber&) const = default;
};

// In the order of the line. A number with a unit, such as 53ms, or within a word does not count.
std::vector<NamedNumber> numbersIn(std::string_view line);

// The columns of a table's line: parts separated by two spaces, a tab, a comma or a bar; or single words
// where that gives only one column.
std::vector<std::string> columnsOf(std::string_view line);

// Returns the number if the whole text is one.
std::optional<double> numberFrom(std::string_view text);

// True if the line draws a progress bar, as Keras and tqdm do.
bool hasBar(std::string_view line);

}  // namespace slaq::report
