#include "cli/terminal/grid.h"

#include <algorithm>

namespace slaq::cli::terminal {
namespace {

std::size_t naturalWidth(const Column& column) {
  std::size_t width = widthOf(column.heading);
  for (const auto& cell : column.cells) width = std::max(width, widthOf(cell.text));
  return std::clamp(width, column.least, column.most);
}

// Only a sentence can be cut and still be of use.
bool isShrinkable(const Column& column) { return column.isSentence && column.least > 0; }

// The width that the columns need; the last column may shrink to its least.
std::size_t neededWidth(const std::vector<Column>& columns) {
  std::size_t width = 0;
  for (const auto& column : columns) {
    const bool last = &column == &columns.back() && isShrinkable(column);
    width += column.gap + (last ? column.least : naturalWidth(column));
  }
  return columns.empty() ? 0 : width - columns.front().gap;
}

void leaveOut(std::vector<Column>& columns, std::size_t room) {
  while (neededWidth(columns) > room) {
    const auto least = std::ranges::min_element(columns, {}, &Column::worth);
    if (least->worth >= Column::kAlways) return;
    const std::size_t gap = least->gap;
    const auto next = columns.erase(least);
    if (next == columns.end() || next->orphan.empty()) continue;
    next->heading = next->orphan;
    next->gap = gap;
  }
}

std::vector<std::size_t> widthsOf(const std::vector<Column>& columns, std::size_t room) {
  std::vector<std::size_t> widths;
  widths.reserve(columns.size());
  for (const auto& column : columns) widths.push_back(naturalWidth(column));
  if (columns.empty() || !isShrinkable(columns.back())) return widths;
  const std::size_t others = neededWidth(columns) - columns.back().least;
  const std::size_t left = room > others ? room - others : 0;
  widths.back() = std::min(widths.back(), std::max(columns.back().least, left));
  return widths;
}

std::string fitted(const std::string& text, Align align, std::size_t width, const Style& style) {
  const std::string shown = cut(text, width, style);
  return align == Align::Left ? left(shown, width) : right(shown, width);
}

// `cellOf` gives the cell of each column.
template <class CellOf>
std::string lineOf(const std::vector<Column>& columns, const std::vector<std::size_t>& widths,
                   const Style& style, CellOf cellOf) {
  std::string line;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const Cell cell = cellOf(columns[i]);
    std::string text = fitted(cell.text, columns[i].align, widths[i], style);
    if (i + 1 == columns.size()) text = trimmed(std::move(text));
    if (i > 0) line += std::string(columns[i].gap, ' ');
    line += cell.colour ? paint(text, *cell.colour, style) : text;
  }
  return trimmed(std::move(line));
}

// True if the last column's sentences are shown below their rows.
bool showsSentencesBelow(const std::vector<Column>& columns, const Frame& frame) {
  constexpr std::size_t kOtherLines = 3;  // the headings, and what the caller writes above the table
  return !columns.empty() && columns.back().isSentence && frame.columns < kWideScreen &&
         2 * columns.back().cells.size() + kOtherLines <= frame.lines;
}

std::vector<std::string> withSentencesBelow(const std::vector<std::string>& lines,
                                            const std::vector<Cell>& sentences, const Frame& frame) {
  constexpr std::string_view kIndent = "    ";
  std::vector<std::string> all = {lines.front()};
  for (std::size_t row = 0; row < sentences.size(); ++row) {
    all.push_back(lines[row + 1]);
    const std::string text = std::string(kIndent) + sentences[row].text;
    if (!sentences[row].text.empty())
      all.push_back(paint(cut(text, frame.columns, frame.style), Colour::Dim, frame.style));
  }
  return all;
}

}  // namespace

std::vector<std::string> gridLines(std::vector<Column> columns, const Frame& frame) {
  if (showsSentencesBelow(columns, frame)) {
    const auto sentences = std::move(columns.back().cells);
    columns.pop_back();
    return withSentencesBelow(gridLines(std::move(columns), frame), sentences, frame);
  }
  leaveOut(columns, frame.columns);
  const auto widths = widthsOf(columns, frame.columns);
  const std::size_t rows = columns.empty() ? 0 : columns.front().cells.size();
  const Style plain{.colours = false, .unicode = frame.style.unicode};
  const auto heading = lineOf(columns, widths, plain, [](const Column& each) { return Cell{each.heading}; });
  std::vector<std::string> lines = {paint(heading, Colour::Dim, frame.style)};
  for (std::size_t row = 0; row < rows; ++row) {
    lines.push_back(
        lineOf(columns, widths, frame.style, [row](const Column& each) { return each.cells[row]; }));
  }
  return lines;
}

std::vector<std::string> withinFrame(std::vector<std::string> lines, const Frame& frame) {
  if (frame.lines == 0 || lines.size() <= frame.lines) return lines;
  const auto hidden = lines.size() - frame.lines + 1;
  lines.resize(frame.lines - 1);
  lines.push_back(std::to_string(hidden) + " more");
  return lines;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const auto& line : lines) text += line + "\n";
  return text;
}

}  // namespace slaq::cli::terminal
