#include "base/text_file.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace slaq {
namespace {

tl::unexpected<Error> refusal(const std::string& file, const std::string& why) {
  return failure(ErrorKind::Invalid, printable(file) + ": can't be read: " + why);
}

}  // namespace

Result<std::string> readTextFile(const std::string& file) {
  const auto refuse = [&](const std::string& why) { return refusal(file, why); };
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored)) return refuse("it is a directory; name a file");
  std::ifstream in(file, std::ios::binary);
  if (!in) return refuse(std::strerror(errno));
  std::string text;
  std::array<char, 1 << 16> block;
  // Unlike the stream's iterators, read() does not throw where a read fails.
  while (in.read(block.data(), block.size()) || in.gcount() > 0) {
    text.append(block.data(), static_cast<std::size_t>(in.gcount()));
    if (text.size() > kLargestText) {
      return refuse("it is larger than " + std::to_string(kLargestText >> 20) + " MiB");
    }
  }
  if (in.bad()) return refuse(std::strerror(errno));
  return text;
}

Result<std::string> readRegularTextFile(const std::string& file) {
  std::error_code ignored;
  const auto status = std::filesystem::status(file, ignored);
  if (std::filesystem::is_other(status)) {
    return refusal(file, "it is a pipe, a device or a socket; name a file on a disk");
  }
  return readTextFile(file);
}

}  // namespace slaq
