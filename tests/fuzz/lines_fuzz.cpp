// Streams of bytes as lines, whatever pieces they come in.
#include <algorithm>
#include <string>
#include <vector>

#include "fuzz/checks.h"
#include "http/lines.h"

namespace slaq::fuzz {
namespace {

constexpr std::size_t kLongest = 64;

struct Cut {
  std::vector<std::string> lines;
  bool tooLong = false;

  bool operator==(const Cut&) const = default;
};

Cut cutInPieces(std::string_view text, std::size_t piece) {
  http::LineCutter cutter(kLongest);
  Cut cut;
  while (!text.empty() && !cut.tooLong) {
    const auto outcome = cutter.feed(text.substr(0, piece), [&](const std::string& line) {
      check(line.size() <= kLongest, "a line is no longer than the bound");
      check(line.find('\n') == std::string::npos, "a line is one");
      cut.lines.push_back(line);
      return true;
    });
    cut.tooLong = outcome == http::LineCutter::Outcome::TooLong;
    text.remove_prefix(std::min(piece, text.size()));
  }
  return cut;
}

}  // namespace
}  // namespace slaq::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace slaq::fuzz;
  const auto text = textOf(data, size);
  const Cut whole = cutInPieces(text, size + 1);
  for (const std::size_t piece : {1, 3, 64})
    check(cutInPieces(text, piece) == whole, "pieces make the same lines");
  return 0;
}
