#include "base/text_file.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

namespace slaq {

Result<std::string> readTextFile(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return failure(ErrorKind::Invalid, file + ": can't be read: " + std::strerror(errno));
  std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  if (in.bad()) return failure(ErrorKind::Invalid, file + ": can't be read");
  return text;
}

}  // namespace slaq
