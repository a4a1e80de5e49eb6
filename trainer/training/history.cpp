#include "trainer/training/history.h"

#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <string_view>

#include "trainer/io/files.h"

namespace slaq::trainer::training {
namespace {

constexpr std::string_view kHeading = "iteration,loss\n";

// The whole lines of iterations up to `last`, with the heading.
std::string linesUpTo(const std::string& path, std::int64_t last) {
  std::string kept(kHeading);
  std::istringstream lines(io::readWhole(path).value_or(""));
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line) && !lines.eof()) {
    std::int64_t iteration = 0;
    const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), iteration);
    if (error == std::errc() && iteration <= last) kept += line + "\n";
  }
  return kept;
}

}  // namespace

Result<void> History::check(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return {};  // of a pipe nothing is lost
  std::ifstream file(path, std::ios::binary);
  std::string start(kHeading.size(), '\0');
  file.read(start.data(), static_cast<std::streamsize>(start.size()));
  start.resize(static_cast<std::size_t>(file.gcount()));
  if (start.empty() || start == kHeading) return {};
  return failure(ErrorKind::Invalid,
                 "--history " + path + " is not a history of slaq-trainer; name another file");
}

Result<History> History::open(const std::string& path, std::optional<std::int64_t> from) {
  History history;
  if (path.empty()) return history;
  if (from) {
    const auto written = io::replaceWhole(path, linesUpTo(path, *from));
    if (!written) return failure(ErrorKind::Invalid, "--history: " + written.error().message);
  }
  history.file_.emplace(path, from ? std::ios::app : std::ios::trunc);
  if (!*history.file_) {
    return failure(ErrorKind::Invalid, "cannot write --history " + path + ": " + std::strerror(errno));
  }
  if (!from) *history.file_ << kHeading << std::flush;
  return history;
}

void History::add(const Progress& progress) {
  if (!file_) return;
  std::array<char, 32> digits;  // the fewest that give the same double again
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), progress.loss).ptr;
  *file_ << progress.iteration << ',' << std::string_view(digits.data(), end) << '\n' << std::flush;
}

}  // namespace slaq::trainer::training
