#include "simulate/input/two_columns.h"

#include "base/text.h"

namespace slaq::simulate {
namespace {

// Cuts the next line off `text` and returns it without its line end, LF or CRLF.
std::string_view nextLine(std::string_view& text) {
  const auto end = text.find('\n');
  std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

tl::unexpected<Error> mistake(const std::string& file, std::size_t line, const std::string& what) {
  return failure(ErrorKind::Invalid, file + ":" + std::to_string(line) + ": " + what);
}

}  // namespace

Result<void> readTwoColumns(const std::string& file, std::string_view text, const TwoColumns& columns,
                            const std::function<std::optional<std::string>(std::size_t, double)>& take) {
  if (nextLine(text) != columns.header)
    return mistake(file, 1, "the first line must be " + std::string(columns.header));
  for (std::size_t line = 2; !text.empty(); ++line) {
    const std::string_view row = nextLine(text);
    if (row.empty() && text.empty()) break;
    const auto comma = row.find(',');
    const auto first = numberFrom<std::size_t>(row.substr(0, comma));
    const auto second =
        comma == std::string_view::npos ? std::nullopt : numberFrom<double>(row.substr(comma + 1));
    if (!first || !second) return mistake(file, line, "must be " + std::string(columns.meaning));
    if (const auto wrong = take(*first, *second)) return mistake(file, line, *wrong);
  }
  return {};
}

}  // namespace slaq::simulate
