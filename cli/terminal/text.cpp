#include "cli/terminal/text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace slaq::cli::terminal {
namespace {

bool beginsCharacter(char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }

std::string firstColumns(std::string_view text, std::size_t width) {
  std::size_t bytes = 0;
  for (std::size_t columns = 0; bytes < text.size(); ++bytes) {
    if (beginsCharacter(text[bytes]) && ++columns > width) break;
  }
  return std::string(text.substr(0, bytes));
}

// `kept` is the beginning of `text`. Removes an incomplete word or figure at its end, unless it is the only
// word, and then a comma at the end.
std::string toWholeWords(std::string kept, std::string_view text) {
  const auto blank = text[kept.size()] == ' ' ? kept.size() : kept.find_last_of(' ');
  const auto end = kept.find_last_not_of(" ,;:", std::min(blank, kept.size() - 1));
  if (blank != std::string::npos && end != std::string::npos) kept.resize(end + 1);
  return kept;
}

std::string repeated(std::string_view text, std::size_t times) {
  std::string out;
  for (std::size_t i = 0; i < times; ++i) out += text;
  return out;
}

template <class... Values>
std::string formatted(const char* format, Values... values) {
  char text[64];
  std::snprintf(text, sizeof text, format, values...);
  return text;
}

}  // namespace

std::size_t widthOf(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, beginsCharacter));
}

std::string left(std::string_view text, std::size_t width) {
  std::string out = firstColumns(text, width);
  return out + std::string(width - widthOf(out), ' ');
}

std::string right(std::string_view text, std::size_t width) {
  const std::string out = firstColumns(text, width);
  return std::string(width - widthOf(out), ' ') + out;
}

std::string cut(std::string_view text, std::size_t width, const Style& style) {
  if (widthOf(text) <= width) return std::string(text);
  const std::string_view ellipsis = style.unicode ? "…" : "..";
  if (width <= widthOf(ellipsis)) return firstColumns(text, width);
  return toWholeWords(firstColumns(text, width - widthOf(ellipsis)), text).append(ellipsis);
}

std::string trimmed(std::string text) {
  while (text.ends_with(' ')) text.pop_back();
  return text;
}

std::string listOf(const std::vector<std::string>& words, std::size_t most) {
  std::string text;
  for (std::size_t i = 0; i < std::min(words.size(), most); ++i) text += (i == 0 ? "" : ", ") + words[i];
  if (words.size() > most) text += " and " + std::to_string(words.size() - most) + " more";
  return text;
}

std::string bar(double share, std::size_t width, const Style& style) {
  const double held = std::clamp(share, 0.0, 1.0) * static_cast<double>(width);
  const auto full = static_cast<std::size_t>(std::lround(held));
  return repeated(style.unicode ? "█" : "#", full) + repeated(style.unicode ? "░" : ".", width - full);
}

std::string paint(std::string_view text, Colour colour, const Style& style) {
  if (!style.colours) return std::string(text);
  constexpr const char* kCodes[] = {"1", "2", "32", "33", "31", "36"};
  return "\x1b[" + std::string(kCodes[static_cast<int>(colour)]) + "m" + std::string(text) + "\x1b[0m";
}

std::string toClock(Seconds time) {
  const auto seconds = static_cast<long>(std::max(0.0, time.count()));
  if (seconds < 3600) return formatted("%ld:%02ld", seconds / 60, seconds % 60);
  return formatted("%ld:%02ld:%02ld", seconds / 3600, seconds / 60 % 60, seconds % 60);
}

std::string toSeconds(std::optional<Seconds> time) {
  if (!time) return "-";
  return formatted(time->count() < 99.95 ? "%.1f s" : "%.0f s", time->count());
}

}  // namespace slaq::cli::terminal
