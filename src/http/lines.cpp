#include "http/lines.h"

namespace slaq::http {

LineCutter::Outcome LineCutter::feed(std::string_view bytes,
                                     const std::function<bool(const std::string&)>& onLine) {
  while (!bytes.empty()) {
    const std::size_t newline = bytes.find('\n');
    const std::string_view piece = bytes.substr(0, newline);
    if (piece.size() > maxLineBytes_ - line_.size()) return Outcome::TooLong;
    line_.append(piece);
    if (newline == std::string_view::npos) return Outcome::More;
    bytes.remove_prefix(newline + 1);
    const bool wanted = onLine(line_);
    line_.clear();
    if (!wanted) return Outcome::Stopped;
  }
  return Outcome::More;
}

}  // namespace slaq::http
