#include "report/output/report.h"

#include <array>
#include <charconv>

namespace slaq::report {

std::string toText(double number) {
  std::array<char, 64> text{};
  const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), number);
  return {text.data(), end};
}

}  // namespace slaq::report
