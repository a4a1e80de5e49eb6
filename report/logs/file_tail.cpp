#include "report/logs/file_tail.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

namespace slaq::report {
namespace {

struct FileState {
  std::uintmax_t size = 0;
  std::uint64_t inode = 0;
};

std::optional<FileState> stateOf(const std::string& path) {
  struct stat found {};
  if (::stat(path.c_str(), &found) != 0 || !S_ISREG(found.st_mode)) return std::nullopt;
  return FileState{static_cast<std::uintmax_t>(found.st_size), found.st_ino};
}

// Passes on the bytes from `position` on, and returns the position after them.
std::uintmax_t readFrom(int file, std::uintmax_t position,
                        const std::function<void(std::string_view)>& take) {
  std::array<char, 64 << 10> buffer;
  for (ssize_t count = 0;
       (count = ::pread(file, buffer.data(), buffer.size(), static_cast<off_t>(position))) > 0;) {
    position += static_cast<std::uintmax_t>(count);
    take({buffer.data(), static_cast<std::size_t>(count)});
  }
  return position;
}

// A longer first line is not a header.
constexpr std::size_t kLongestHeader = 16u << 10;

std::string firstLineOf(int file) {
  std::string line(kLongestHeader, '\0');
  const auto count = ::pread(file, line.data(), line.size(), 0);
  line.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
  const auto end = line.find('\n');
  return end == std::string::npos ? line : line.substr(0, end + 1);
}

// The line, if it has names and commas; else empty.
std::string headerOfTable(const std::string& line) {
  const bool isHeader = line.ends_with('\n') && line.find(',') != std::string::npos &&
                        line.find_first_of("{}[]:") == std::string::npos &&
                        std::isdigit(static_cast<unsigned char>(line.front())) == 0;
  return isHeader ? line : "";
}

std::size_t linesIn(std::string_view bytes) {
  return static_cast<std::size_t>(std::ranges::count(bytes, '\n'));
}

// The position behind the first `lines` lines.
std::uintmax_t endOfLines(int file, std::size_t lines) {
  std::uintmax_t end = 0, position = 0;
  readFrom(file, 0, [&](std::string_view bytes) {
    for (const char c : bytes) {
      ++position;
      if (c == '\n' && lines > 0 && --lines == 0) end = position;
    }
  });
  return end;
}

}  // namespace

FileTail::FileTail(std::string path, Former former) : path_(std::move(path)) {
  const auto now = stateOf(path_);
  if (!now || former == Former::All) return;
  position_ = now->size;
  inode_ = now->inode;
  wantsHeader_ = former == Former::Header && now->size > 0;
  const int file = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  header_ = headerOfTable(firstLineOf(file));
  if (!header_.empty())
    position_ = readFrom(file, 0, [this](std::string_view bytes) { lines_ += linesIn(bytes); });
  ::close(file);
}

void FileTail::read(const std::function<void(std::string_view)>& take) {
  const auto now = stateOf(path_);
  if (!now || (now->size == position_ && now->inode == inode_)) return;
  if (now->size < position_ || (inode_ != 0 && now->inode != inode_)) {
    position_ = 0;
    lines_ = 0;
    header_.clear();
    wantsHeader_ = false;
  }
  const int file = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  inode_ = now->inode;
  const std::string first = firstLineOf(file);
  if (wantsHeader_) take(first.ends_with('\n') ? first : first + "\n");
  // A program that gets a new column writes the table again.
  const std::string header = headerOfTable(first);
  if (position_ > 0 && !header.empty() && !header_.empty() && header != header_) {
    take(header);
    position_ = endOfLines(file, lines_);
  }
  header_ = header;
  wantsHeader_ = false;
  position_ = readFrom(file, position_, [&](std::string_view bytes) {
    lines_ += linesIn(bytes);
    take(bytes);
  });
  ::close(file);
}

}  // namespace slaq::report
