// What programs write: their output, and event files.
#include <string_view>

#include "fuzz/checks.h"
#include "report/logs/event_records.h"
#include "report/output/line_splitter.h"
#include "report/output/output_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace slaq;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  report::OutputReader reader({});
  report::LineSplitter lines;
  const auto read = [&](std::string_view line) {
    fuzz::check(!line.empty() && line.size() <= report::kLongestLine, "a line has its bounds");
    static_cast<void>(reader.read(line));
  };
  lines.add(text, read);
  lines.finish(read);
  static_cast<void>(reader.settle());
  report::EventRecords records;
  records.add(text, [&](std::string_view tag, double step, double value) {
    static_cast<void>(reader.readScalar(tag, step, value));
  });
  return 0;
}
