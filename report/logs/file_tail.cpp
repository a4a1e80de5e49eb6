#include "report/logs/file_tail.h"

#include <sys/stat.h>

#include <array>
#include <fstream>
#include <optional>
#include <string>

namespace slaq::report {
namespace {

struct FileState {
  std::uintmax_t size = 0;
  std::uint64_t inode = 0;
};

std::optional<FileState> stateOf(const std::filesystem::path& path) {
  struct stat found {};
  if (::stat(path.c_str(), &found) != 0 || !S_ISREG(found.st_mode)) return std::nullopt;
  return FileState{static_cast<std::uintmax_t>(found.st_size), found.st_ino};
}

}  // namespace

FileTail::FileTail(std::filesystem::path path, Former former) : path_(std::move(path)) {
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
  inode_ = now->inode;
  std::ifstream file(path_, std::ios::binary);
  if (wantsHeader_) {
    std::string header;
    std::getline(file, header);
    take(header + "\n");
    wantsHeader_ = false;
  }
  file.seekg(static_cast<std::streamoff>(position_));
  std::array<char, 64 << 10> buffer;
  while (file.read(buffer.data(), buffer.size()) || file.gcount() > 0) {
    const auto count = static_cast<std::size_t>(file.gcount());
    position_ += count;
    take({buffer.data(), count});
  }
}

}  // namespace slaq::report
