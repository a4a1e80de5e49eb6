#include "report/logs/file_tail.h"

#include <array>
#include <fstream>

namespace slaq::report {

void FileTail::read(const std::function<void(std::string_view)>& take) {
  std::error_code error;
  const auto size = std::filesystem::file_size(path_, error);
  if (error || size == position_) return;
  if (size < position_) position_ = 0;
  std::ifstream file(path_, std::ios::binary);
  file.seekg(static_cast<std::streamoff>(position_));
  std::array<char, 64 << 10> buffer;
  while (file.read(buffer.data(), buffer.size()) || file.gcount() > 0) {
    const auto count = static_cast<std::size_t>(file.gcount());
    position_ += count;
    take({buffer.data(), count});
  }
}

}  // namespace slaq::report
