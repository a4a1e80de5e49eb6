// A file that a program writes as it runs.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace slaq::report {

class FileTail {
 public:
  // The part of the existing content that read() passes on. An earlier program wrote that content, but its
  // first line may be the header of a table. A file that appears while the program runs is passed on as a
  // whole.
  enum class Former { All, Header, Nothing };

  explicit FileTail(std::string path, Former former = Former::Header);

  // Passes on the bytes that were added since the last call. A file that was replaced, or that has become
  // shorter, is read from its beginning. If a table was written again with another header,
  // the new header is passed on, and then the rows after those that were passed on before. A file that does
  // not exist has no bytes.
  void read(const std::function<void(std::string_view)>& take);

 private:
  const std::string path_;
  std::uintmax_t position_ = 0;
  std::uint64_t inode_ = 0;
  bool wantsHeader_ = false;
  std::string header_;     // the first line, if it is the header of a table
  std::size_t lines_ = 0;  // passed on, with the header
};

}  // namespace slaq::report
