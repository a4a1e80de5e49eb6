#include "cli/output_file.h"

#include <cerrno>
#include <cstring>

namespace slaq {

Result<std::ofstream> outputFile(const std::string& file, const std::string& flag) {
  std::ofstream out;
  if (file.empty()) return out;
  out.open(file);
  if (out) return out;
  return failure(ErrorKind::Invalid,
                 file + ": can't be written: " + std::strerror(errno) + "; give " + flag + " another file");
}

}  // namespace slaq
