#include "trainer/history.h"

#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <string_view>

namespace slaq::trainer {

Result<History> History::open(const std::string& path) {
  History history;
  if (path.empty()) return history;
  history.file_.emplace(path);
  if (!*history.file_) {
    return failure(ErrorKind::Invalid, "cannot write --history " + path + ": " + std::strerror(errno));
  }
  *history.file_ << "iteration,loss\n" << std::flush;
  return history;
}

void History::add(const Progress& progress) {
  if (!file_) return;
  std::array<char, 32> digits;  // the fewest that give the same double again
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), progress.loss).ptr;
  *file_ << progress.iteration << ',' << std::string_view(digits.data(), end) << '\n' << std::flush;
}

}  // namespace slaq::trainer
