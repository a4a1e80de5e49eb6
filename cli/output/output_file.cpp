#include "cli/output/output_file.h"

#include <cerrno>
#include <cstring>
#include <iostream>

namespace slaq::cli::output {
namespace {

// The reason why the last write failed, if it is known.
std::string whyNot() {
  return errno == 0 ? std::string("its end could not be written") : std::string(std::strerror(errno));
}

}  // namespace

Result<std::ofstream> outputFile(const std::string& file, const std::string& flag, std::ios::openmode mode) {
  std::ofstream out;
  if (file.empty()) return out;
  out.open(file, mode);
  if (out) return out;
  return failure(ErrorKind::Invalid,
                 file + ": can't be written: " + std::strerror(errno) + "; give " + flag + " another file");
}

Result<void> finish(std::ofstream& out, const std::string& file) {
  if (file.empty()) return {};
  errno = 0;
  out.close();
  if (out) return {};
  return failure(ErrorKind::Transient, file + ": is incomplete: " + whyNot());
}

Result<void> finishStandardOutput() {
  errno = 0;
  std::cout.flush();
  if (std::cout) return {};
  return failure(ErrorKind::Transient, "the standard output is incomplete: " + whyNot());
}

}  // namespace slaq::cli::output
