#include "report/output/report.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace slaq::report {
namespace {

constexpr int kEnough = 17;            // digits, enough for every double
constexpr double kMostOfWhole = 1e15;  // whole numbers up to this one are written without exponent

std::string textOf(const char* format, int digits, double number) {
  std::array<char, 64> text{};
  const int size = std::snprintf(text.data(), text.size(), format, digits, number);
  return {text.data(), static_cast<std::size_t>(size)};
}

}  // namespace

// std::to_chars would do, but each pod would load its tables of 128 KB.
std::string toText(double number) {
  if (std::isnan(number)) return "nan";
  if (std::floor(number) == number && std::fabs(number) <= kMostOfWhole) return textOf("%.*f", 0, number);
  std::string text;
  for (int digits = 1; digits <= kEnough; ++digits) {
    text = textOf("%.*g", digits, number);
    if (std::strtod(text.c_str(), nullptr) == number) break;
  }
  return text;
}

}  // namespace slaq::report
