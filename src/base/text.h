// Texts as programs write them: the numbers in them, and the case of their letters.
#pragma once

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>

namespace slaq {

// The number that the whole text represents, in the C locale; nothing if the text is something else or if
// `Number` cannot hold the value.
template <class Number>
std::optional<Number> numberFrom(std::string_view text) {
  Number number{};
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// The text without the plus that from_chars does not take before a number. That of "+-5" stays: it is no
// number.
inline std::string_view withoutPlus(std::string_view text) {
  const bool isPlus = text.starts_with('+') && !text.starts_with("+-");
  return isPlus ? text.substr(1) : text;
}

// The text with its ASCII letters in lower case.
inline std::string lowerCase(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

}  // namespace slaq
