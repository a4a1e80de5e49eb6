// A file that a program writes as it runs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string_view>

namespace slaq::report {

class FileTail {
 public:
  explicit FileTail(std::filesystem::path path) : path_(std::move(path)) {}

  // Hands on the bytes that came since the last call. A file that was replaced by a shorter one is read from
  // its beginning; one that is not there has none.
  void read(const std::function<void(std::string_view)>& take);

 private:
  const std::filesystem::path path_;
  std::uintmax_t position_ = 0;
};

}  // namespace slaq::report
