#include "report/output/line_splitter.h"

namespace slaq::report {
namespace {

constexpr char kEscape = '\x1b';
constexpr char kBell = '\a';

bool endsLine(char c) { return c == '\n' || c == '\r' || c == '\b'; }

// True for the last byte of a control sequence, ESC [ ... final (ECMA-48).
bool isFinal(char c) { return c >= '@' && c <= '~'; }

}  // namespace

void LineSplitter::add(std::string_view bytes, const Tell& tell) {
  for (const char c : bytes) take(c, tell);
}

void LineSplitter::finish(const Tell& tell) {
  if (!line_.empty()) tell(line_);
  line_.clear();
}

void LineSplitter::take(char c, const Tell& tell) {
  if (endsLine(c)) {
    escape_ = Escape::None;
    return finish(tell);
  }
  if (!isInEscape(c) && line_.size() < kLongestLine) line_ += c;
}

// True if the byte belongs to an escape sequence.
bool LineSplitter::isInEscape(char c) {
  switch (escape_) {
    case Escape::None:
      if (c == kEscape) escape_ = Escape::Begun;
      return c == kEscape;
    case Escape::Begun:
      escape_ = c == '[' ? Escape::Control : c == ']' ? Escape::Command : Escape::None;
      return true;
    case Escape::Control:
      if (isFinal(c)) escape_ = Escape::None;
      return true;
    case Escape::Command:  // a title, which ends with a bell
      if (c == kBell) escape_ = Escape::None;
      return true;
  }
  return false;
}

}  // namespace slaq::report
