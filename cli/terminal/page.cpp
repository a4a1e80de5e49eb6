#include "cli/terminal/page.h"

#include <algorithm>
#include <sstream>

namespace slaq::cli::terminal {
namespace {

constexpr std::size_t kMargin = 14;
constexpr std::size_t kLeastText = 24;

}  // namespace

std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  std::istringstream words{std::string(text)};
  for (std::string word; words >> word;) {
    if (!lines.empty() && widthOf(lines.back()) + 1 + widthOf(word) <= width) {
      lines.back() += " " + word;
    } else {
      lines.push_back(word);
    }
  }
  return lines;
}

void Page::line(std::string_view text) {
  lines_.push_back(paint(cut(text, frame_.columns, frame_.style), Colour::Bold, frame_.style));
}

void Page::heading(std::string_view text) {
  gap();
  lines_.push_back(paint(text, Colour::Bold, frame_.style));
  label_.clear();
}

std::string Page::margin(std::string_view label) {
  const bool repeated = label == label_;
  label_ = label;
  return paint("  " + left(repeated ? "" : label, kMargin - 2), Colour::Dim, frame_.style);
}

void Page::add(std::string_view label, std::string_view text) {
  const std::size_t room = frame_.columns > kMargin ? frame_.columns - kMargin : 0;
  for (const auto& each : wrapped(text, std::max(room, kLeastText))) lines_.push_back(margin(label) + each);
}

void Page::picture(std::string_view label, std::string_view text) {
  lines_.push_back(trimmed(margin(label) + std::string(text)));
}

void Page::picture(std::string_view text) { lines_.push_back("  " + std::string(text)); }

}  // namespace slaq::cli::terminal
