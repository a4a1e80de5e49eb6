#include "local/system/files.h"

#include <fcntl.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

namespace slaq::local::system {

tl::unexpected<Error> systemFailure(ErrorKind kind, const std::string& what) {
  return failure(kind, "can't " + what + ": " + std::strerror(errno));
}

std::string readFile(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

bool writeWhole(const Descriptor& file, std::string_view text) {
  if (!file.isOpen()) return false;
  errno = ENOSPC;  // a part that was written sets no error
  return ::write(file.number(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

Result<void> writeFile(const std::filesystem::path& file, std::string_view text) {
  const Descriptor out(::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
  if (!writeWhole(out, text)) return systemFailure(ErrorKind::Forbidden, "write " + file.string());
  return {};
}

std::string tailOf(const std::filesystem::path& file, int lines) {
  constexpr std::streamoff kMost = 4096;
  std::ifstream in(file, std::ios::ate);
  if (!in) return "";
  const std::streamoff size = in.tellg();
  in.seekg(std::max<std::streamoff>(0, size - kMost));
  std::string text(std::istreambuf_iterator<char>(in), {});
  while (text.ends_with('\n')) text.pop_back();
  auto begin = text.size();
  for (int i = 0; i < lines && begin != std::string::npos && begin > 0; ++i)
    begin = text.rfind('\n', begin - 1);
  return begin == std::string::npos || begin == 0 ? text : text.substr(begin + 1);
}

}  // namespace slaq::local::system
