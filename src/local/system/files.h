// Reads and writes small files, such as those of the kernel, and owns file descriptors.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"

namespace slaq::local::system {

class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor() { close(); }

  int number() const { return number_; }
  bool isOpen() const { return number_ >= 0; }
  void close() {
    if (number_ >= 0) ::close(std::exchange(number_, -1));
  }

 private:
  int number_ = -1;
};

// The error of the last system call: "can't WHAT: No such file or directory".
tl::unexpected<Error> systemFailure(ErrorKind kind, const std::string& what);

// The whole file; empty if it can't be read.
std::string readFile(const std::filesystem::path& file);
// Writes the whole text with one system call, as the kernel's control files require. False, with errno set,
// if that fails; a disk is full where only a part was written.
bool writeWhole(const Descriptor& file, std::string_view text);
// Replaces the content of the file in the same way.
Result<void> writeFile(const std::filesystem::path& file, std::string_view text);
// The last lines of a file, at most `lines` and about 4 KiB.
std::string tailOf(const std::filesystem::path& file, int lines);

}  // namespace slaq::local::system
