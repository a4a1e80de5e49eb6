// Reading text files line by line, with errors that say where.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace slaq::trainer::data::formats {

// Goes through the lines that are not empty. `text` must outlive it.
class Lines {
 public:
  Lines(std::string path, std::string_view text) : path_(std::move(path)), rest_(text) {}

  // The next line without its end and without blanks around it.
  std::optional<std::string_view> next();
  // Malformed: "PATH:LINE: what".
  tl::unexpected<Error> refuse(const std::string& what) const;
  // Malformed: "PATH what", about the file as a whole.
  tl::unexpected<Error> refuseAll(const std::string& what) const;

 private:
  std::string path_;
  std::string_view rest_;
  std::int64_t number_ = 0;
};

std::string_view trimmed(std::string_view text);
std::vector<std::string_view> split(std::string_view text, char separator);
std::string quoted(std::string_view text);

// Why it is no finite number, or the number.
Result<float> parseFinite(std::string_view text);

// An index and what follows its colon.
struct Pair {
  std::int64_t index = 0;
  float value = 0;
};
Result<Pair> parsePair(std::string_view text);

// The digits that give the same number again.
std::string digitsOf(float number);

}  // namespace slaq::trainer::data::formats
