#include "report/output/growing_file.h"

#include <array>
#include <fstream>

namespace slaq::report {

void GrowingFile::read(const LineSplitter::Tell& tell) {
  std::error_code error;
  const auto size = std::filesystem::file_size(path_, error);
  if (error || size == position_) return;
  if (size < position_) position_ = 0;
  std::ifstream file(path_, std::ios::binary);
  file.seekg(static_cast<std::streamoff>(position_));
  std::array<char, 16 << 10> buffer;
  while (file.read(buffer.data(), buffer.size()) || file.gcount() > 0) {
    const auto count = static_cast<std::size_t>(file.gcount());
    position_ += count;
    splitter_.add({buffer.data(), count}, tell);
  }
}

}  // namespace slaq::report
