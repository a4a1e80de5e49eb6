// Cuts a program's output into lines of plain text. Progress bars write a carriage return or a backspace, so
// these end a line too. Escape sequences of terminals are left out.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace slaq::report {

// The splitter drops the rest of a longer line, so that output without line ends needs little memory.
inline constexpr std::size_t kLongestLine = 16u << 10;

class LineSplitter {
 public:
  // `tell` gets each line that is not empty. The view is valid during the call.
  using Tell = std::function<void(std::string_view)>;

  void add(std::string_view bytes, const Tell& tell);
  // Passes on the last line, which has no end.
  void finish(const Tell& tell);

 private:
  enum class Escape { None, Begun, Control, Command };

  void take(char c, const Tell& tell);
  bool isInEscape(char c);

  std::string line_;
  Escape escape_ = Escape::None;
};

}  // namespace slaq::report
