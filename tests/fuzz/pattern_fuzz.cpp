// Expressions of users, the first line of the input, and lines that they read, the others.
#include <string>
#include <string_view>

#include "fuzz/checks.h"
#include "report/output/line_splitter.h"
#include "report/pattern/pattern_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace slaq;
  const auto text = fuzz::textOf(data, size);
  const auto end = text.find('\n');
  const auto pattern = report::Pattern::from(std::string(text.substr(0, end)));
  if (!pattern) {
    fuzz::checkSentence(pattern.error().message);
    return 0;
  }
  if (end == std::string_view::npos) return 0;
  report::PatternReader reader(*pattern);
  report::LineSplitter lines;
  const auto read = [&](std::string_view line) { static_cast<void>(reader.read(line)); };
  lines.add(text.substr(end + 1), read);
  lines.finish(read);
  fuzz::checkSentence(reader.whyNothing());
  return 0;
}
