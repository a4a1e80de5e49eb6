// A page of labelled paragraphs for terminals:
//   loss        0.43 after 120 iterations,
//               about 4:10 left
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/terminal/grid.h"

namespace slaq::cli::terminal {

class Page {
 public:
  explicit Page(const Frame& frame) : frame_(frame) {}

  // A line that is not wrapped, but cut to the frame.
  void line(std::string_view text);
  void heading(std::string_view text);
  // A paragraph, wrapped between words. A label is not repeated if the previous paragraph has it too.
  void add(std::string_view label, std::string_view text);
  // A line that is not wrapped, because it is a picture; without a label it begins at the left.
  void picture(std::string_view label, std::string_view text);
  void picture(std::string_view text);
  void gap() { lines_.emplace_back(); }

  const Frame& frame() const { return frame_; }
  std::string text() const { return joined(lines_); }

 private:
  std::string margin(std::string_view label);

  Frame frame_;
  std::vector<std::string> lines_;
  std::string label_;  // of the previous paragraph
};

// The text in lines of at most `width` columns; a word that is longer has a line of its own.
std::vector<std::string> wrapped(std::string_view text, std::size_t width);

}  // namespace slaq::cli::terminal
