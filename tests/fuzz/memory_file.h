// A file in memory, for readers that take a path.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <string>
#include <string_view>

#include "fuzz/checks.h"

namespace slaq::fuzz {

class MemoryFile {
 public:
  explicit MemoryFile(std::string_view content) : number_(memfd_create("input", MFD_CLOEXEC)) {
    check(number_ >= 0, "a file in memory can be made");
    const auto written = ::write(number_, content.data(), content.size());
    check(written == static_cast<ssize_t>(content.size()), "a file in memory takes its content");
  }
  ~MemoryFile() { ::close(number_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  std::string path() const { return "/proc/self/fd/" + std::to_string(number_); }

 private:
  int number_;
};

}  // namespace slaq::fuzz
