// Splits a stream of bytes into lines. A line is complete once its newline has come. What follows the last
// newline is kept for the next bytes, up to a bound.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace slaq::http {

class LineCutter {
 public:
  enum class Outcome { More, Stopped, TooLong };

  explicit LineCutter(std::size_t maxLineBytes) : maxLineBytes_(maxLineBytes) {}

  // Calls `onLine` for each line that `bytes` completes, without its newline, until it returns false.
  Outcome feed(std::string_view bytes, const std::function<bool(const std::string&)>& onLine);

 private:
  std::size_t maxLineBytes_;
  std::string line_;  // the beginning of a line whose end has not come
};

}  // namespace slaq::http
