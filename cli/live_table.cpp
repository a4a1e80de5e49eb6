#include "cli/live_table.h"

#include <algorithm>
#include <vector>

namespace slaq {
namespace {

constexpr std::size_t kLongestName = 24;
constexpr std::size_t kBar = 8;
constexpr std::size_t kGap = 2;
constexpr std::size_t kLeastReason = 16;

// Which columns there is room for.
struct Layout {
  std::size_t name = 0;
  bool bars = true;
  std::size_t reason = 0;  // columns of the reason; 0: none
};

std::string nameOf(const JobRow& row) { return row.key.ns == "default" ? row.key.name : toString(row.key); }

Colour colourOf(JobState state) {
  switch (state) {
    case JobState::Running:
      return Colour::Cyan;
    case JobState::Complete:
      return Colour::Green;
    case JobState::Failed:
      return Colour::Red;
    case JobState::Waiting:
      return Colour::Yellow;
    case JobState::Pending:
    case JobState::Suspended:
      break;
  }
  return Colour::Dim;
}

// The columns without name and reason: state, workers, iteration, loss, reduction.
std::size_t middleWidth(bool bars) { return 9 + 5 + 9 + 9 + 4 + 4 * kGap + (bars ? 2 * (kBar + 1) : 0); }

Layout layoutOf(const Scene& scene, std::size_t columns) {
  Layout layout;
  layout.name = 3;
  for (const auto& row : scene.jobs) layout.name = std::max(layout.name, widthOf(nameOf(row)));
  layout.name = std::min(layout.name, kLongestName);
  const auto used = [&] { return layout.name + kGap + middleWidth(layout.bars) + kGap; };
  if (used() > columns + kGap) layout.bars = false;
  if (columns >= used() + kLeastReason) layout.reason = columns - used();
  return layout;
}

std::string percentage(const std::optional<double>& share) {
  return share ? std::to_string(static_cast<int>(*share * 100)) + "%" : "-";
}

// The cells of one line, set apart; `workersBar` and `reducedBar` are left out where there are no bars.
struct Cells {
  std::string name, state, workersBar, workers, iteration, loss, reducedBar, reduced, reason;
};

std::string lineOf(const Cells& cells, const Layout& layout) {
  const std::string gap(kGap, ' ');
  std::string line = cells.name + gap + cells.state + gap;
  if (layout.bars) line += cells.workersBar + " ";
  line += cells.workers + gap + cells.iteration + gap + cells.loss + gap;
  if (layout.bars) line += cells.reducedBar + " ";
  line += cells.reduced;
  if (layout.reason > 0) line += gap + cells.reason;
  return line;
}

std::string headingOf(const Layout& layout, const Style& style) {
  const Cells cells{left("JOB", layout.name),      left("STATE", 9),
                    left("WORKERS", kBar),         right("", 5),
                    right("ITERATION", 9),         right("LOSS", 9),
                    left("REDUCED", kBar),         right(layout.bars ? "" : "RED.", 4),
                    layout.reason > 0 ? "WHY" : ""};
  Cells shown = cells;
  if (!layout.bars) shown.workers = right("WORK.", 5);
  return paint(trimmed(lineOf(shown, layout)), Colour::Dim, style);
}

std::string jobLine(const JobRow& row, const Layout& layout, const Style& style) {
  const double most = std::max(1, row.most.value());
  const std::string workers = std::to_string(row.workers.value()) + "/" + std::to_string(row.most.value());
  const Cells cells{
      left(nameOf(row), layout.name),
      paint(left(name(row.state), 9), colourOf(row.state), style),
      paint(bar(row.workers.value() / most, kBar, style), Colour::Cyan, style),
      right(workers, 5),
      right(row.iteration ? toDecimal(row.iteration->value(), 9) : "-", 9),
      right(row.loss ? toDecimal(row.loss->value(), 5) : "-", 9),
      paint(bar(row.reduced.value_or(0), kBar, style), Colour::Green, style),
      right(percentage(row.reduced), 4),
      cut(row.reason, layout.reason, style),
  };
  return trimmed(lineOf(cells, layout));
}

std::string summaryLine(const Scene& scene, const Frame& frame) {
  Cores held;
  std::size_t done = 0;
  for (const auto& row : scene.jobs) {
    held += row.cores;
    done += finished(row.state) ? 1 : 0;
  }
  const std::string text = "slaq  " + scene.policy + "  " + toClock(scene.age) + "  cores " +
                           toDecimal(inCores(held)) + " of " + toDecimal(inCores(scene.capacity)) +
                           "  jobs " + std::to_string(scene.jobs.size() - done) + " here, " +
                           std::to_string(done) + " done, " + std::to_string(scene.toCome) + " to come";
  return paint(cut(text, frame.columns, frame.style), Colour::Bold, frame.style);
}

}  // namespace

std::string liveTable(const Scene& scene, const Frame& frame) {
  const Layout layout = layoutOf(scene, frame.columns);
  std::vector<std::string> lines = {summaryLine(scene, frame)};
  if (!scene.jobs.empty()) lines.push_back(headingOf(layout, frame.style));
  for (const auto& row : scene.jobs) lines.push_back(jobLine(row, layout, frame.style));
  if (lines.size() > frame.lines && frame.lines > 0) {
    const auto hidden = lines.size() - frame.lines + 1;
    lines.resize(frame.lines - 1);
    lines.push_back(std::to_string(hidden) + " more");
  }
  std::string text;
  for (const auto& line : lines) text += line + "\n";
  return text;
}

}  // namespace slaq
