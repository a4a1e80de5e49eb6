// Cuts a program's output into lines of plain text. A carriage return or a backspace ends a line too, as
// progress bars write them; escape sequences of terminals are left out.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace slaq::report {

// The splitter drops the rest of a longer line, so that output without line ends takes no memory.
inline constexpr std::size_t kLongestLine = 16u << 10;

class LineSplitter {
 public:
  // `tell` gets each line that is not empty. The view is valid during the call.
  using Tell = std::function<void(std::string_view)>;

  void add(std::string_view bytes, const Tell& tell);
  // The line that has no end.
  void finish(const Tell& tell);

 private:
  enum class Escape { None, Begun, Control, Command };

  void take(char c, const Tell& tell);
  bool isInEscape(char c);

  std::string line_;
  Escape escape_ = Escape::None;
};

}  // namespace slaq::report
