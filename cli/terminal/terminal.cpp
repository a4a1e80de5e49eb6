#include "cli/terminal/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <utility>

namespace slaq::cli::terminal {
namespace {

std::string_view variable(const char* name) {
  const char* text = std::getenv(name);
  return text == nullptr ? "" : text;
}

bool isUtf8() {
  for (const char* each : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const auto text = variable(each);
    if (!text.empty()) return text.find("UTF-8") != text.npos || text.find("utf8") != text.npos;
  }
  return false;
}

void write(std::FILE* out, const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), out);
  std::fflush(out);
}

constexpr std::size_t kUnbounded = 10000;
constexpr const char* kHideCursor = "\x1b[?25l";
constexpr const char* kShowCursor = "\x1b[?25h";

}  // namespace

std::string rewind(std::size_t lines) {
  return lines == 0 ? "" : "\x1b[" + std::to_string(lines) + "A\r\x1b[J";
}

bool isTerminal(std::FILE* out) { return ::isatty(::fileno(out)) == 1 && variable("TERM") != "dumb"; }

Frame frameOf(std::FILE* out) {
  if (!isTerminal(out)) return {.columns = kUnbounded, .lines = 0, .style = {false, isUtf8()}};
  Frame frame;
  winsize size{};
  if (::ioctl(::fileno(out), TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    frame.columns = size.ws_col;
    // The cursor's line below the text needs room too.
    if (size.ws_row > 0) frame.lines = std::max<std::size_t>(2, size.ws_row) - 1;
  }
  frame.style = {variable("NO_COLOR").empty(), isUtf8()};
  return frame;
}

RedrawnText::RedrawnText(std::FILE* out) : out_(out) { write(out_, kHideCursor); }

RedrawnText::~RedrawnText() { finish(); }

void RedrawnText::show(const std::string& text) {
  write(out_, rewind(drawn_) + text);
  drawn_ = static_cast<std::size_t>(std::ranges::count(text, '\n'));
}

void RedrawnText::finish() {
  if (!std::exchange(finished_, true)) write(out_, kShowCursor);
}

}  // namespace slaq::cli::terminal
