#include "simulate/input/csv_table.h"

#include <algorithm>

namespace slaq::simulate {
namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

// Cuts the next line off `text` and returns it without its line end, LF or CRLF.
std::string_view cutLine(std::string_view& text) {
  const auto end = text.find('\n');
  std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

std::string_view trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

// A quote within quotes is written twice.
std::string unquoted(std::string_view field) {
  field = trimmed(field);
  if (field.size() < 2 || field.front() != '"' || field.back() != '"') return std::string(field);
  std::string text;
  for (std::size_t i = 1; i + 1 < field.size(); ++i) {
    if (field[i] == '"' && field[i + 1] == '"') ++i;
    text += field[i];
  }
  return text;
}

std::vector<std::string> fieldsOf(std::string_view line, char separator) {
  std::vector<std::string> fields;
  bool isQuoted = false;
  std::size_t begin = 0;
  for (std::size_t at = 0; at <= line.size(); ++at) {
    if (at < line.size() && line[at] == '"') isQuoted = !isQuoted;
    if (at < line.size() && (isQuoted || line[at] != separator)) continue;
    fields.push_back(unquoted(line.substr(begin, at - begin)));
    begin = at + 1;
  }
  return fields;
}

// The separator that occurs most often in the header.
char separatorOf(std::string_view header) {
  char most = ',';
  for (const char each : {';', '\t'}) {
    if (std::ranges::count(header, each) > std::ranges::count(header, most)) most = each;
  }
  return most;
}

}  // namespace

Result<CsvTable> readCsvTable(const std::string& file, std::string_view text) {
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  const std::string_view header = cutLine(text);
  const char separator = separatorOf(header);
  CsvTable table{.header = fieldsOf(header, separator), .rows = {}};
  if (trimmed(header).empty())
    return failure(ErrorKind::Invalid,
                   file + ":1: the first line must name the columns, such as iteration,loss");
  for (std::size_t line = 2; !text.empty(); ++line) {
    const std::string_view row = cutLine(text);
    if (trimmed(row).empty()) continue;
    table.rows.push_back({line, fieldsOf(row, separator)});
    if (table.rows.back().fields.size() != table.header.size())
      return failure(ErrorKind::Invalid, file + ":" + std::to_string(line) + ": must have " +
                                             std::to_string(table.header.size()) +
                                             " fields, as the first line");
  }
  return table;
}

}  // namespace slaq::simulate
