// The numbers of a line of output with what the line calls them: "Epoch 3/10, loss = 0.4" has an epoch of 3
// in 10 and a loss of 0.4. Nothing here knows a library; all of them write names and numbers.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace slaq::report {

struct NamedNumber {
  std::string name;  // in lower case, without quotes; empty where the line gives none
  double value = 0;
  std::optional<double> of = {};  // in "3/10" the 10

  bool operator==(const NamedNumber&) const = default;
};

// The name of a number that begins its line and that a bracket or a colon ends, as in "[12] loss: 0.4".
inline constexpr const char* kIndex = "index";

// In their order. A number with a unit, such as 53ms, or within a word is none.
std::vector<NamedNumber> numbersIn(std::string_view line);

// The columns of a line of a table: parts with two spaces, a tab, a comma or a bar between them; or single
// words where that gives but one.
std::vector<std::string> columnsOf(std::string_view line);

// Returns the number if all of the text is one.
std::optional<double> numberFrom(std::string_view text);

// The text with small letters, of ASCII.
std::string lowerCase(std::string_view text);

// True if the line draws a progress bar, as Keras and tqdm do.
bool hasBar(std::string_view line);

}  // namespace slaq::report
