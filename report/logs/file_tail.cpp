#include "report/logs/file_tail.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
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

}  // namespace

FileTail::FileTail(std::string path, Former former) : path_(std::move(path)) {
  const auto now = stateOf(path_);
  if (!now || former == Former::All) return;
  position_ = now->size;
  inode_ = now->inode;
  wantsHeader_ = former == Former::Header && now->size > 0;
}

void FileTail::read(const std::function<void(std::string_view)>& take) {
  const auto now = stateOf(path_);
  if (!now || (now->size == position_ && now->inode == inode_)) return;
  if (now->size < position_ || (inode_ != 0 && now->inode != inode_)) {
    position_ = 0;
    wantsHeader_ = false;
  }
  const int file = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  inode_ = now->inode;
  const std::string header = firstLineOf(file);
  // A program that gets a new column writes the table again, longer than before.
  if (position_ > 0 && !header_.empty() && header != header_) position_ = 0;
  header_ = header.ends_with('\n') ? header : "";
  if (wantsHeader_) take(header_.empty() ? header + "\n" : header_);
  wantsHeader_ = false;
  position_ = readFrom(file, position_, take);
  ::close(file);
}

}  // namespace slaq::report
