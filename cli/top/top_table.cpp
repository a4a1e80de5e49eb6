#include "cli/top/top_table.h"

#include <algorithm>
#include <iterator>

#include "base/figures.h"
#include "cli/jobs/live_table.h"

namespace slaq::cli::top {
namespace {

constexpr std::size_t kShortestName = 30;  // names of this length are never cut
constexpr std::size_t kBar = 8;
constexpr std::size_t kLeastReason = 16;

// A change that would cost more than it brings gains nothing.
std::string gainOrDash(const std::optional<double>& value) {
  return value ? gainText(std::max(0.0, *value), 3) : "-";
}

// "3/4": ready and wanted workers; with their cores if those change: "3/4 x 750m".
std::string workersText(const TopRow& row) {
  const std::string count = std::to_string(row.ready.value()) + "/" + std::to_string(row.job.desired.value());
  return row.workerCpu ? count + " x " + toString(*row.workerCpu) : count;
}

std::string percentage(const std::optional<double>& share) {
  return share ? std::to_string(static_cast<int>(*share * 100)) + "%" : "-";
}

// Columns in the order in which they are shown.
struct Columns {
  // A long name has at most a quarter of the frame.
  explicit Columns(std::size_t frame)
      : ns{.heading = "NAMESPACE", .most = std::max(kShortestName, frame / 4)},
        name{.heading = "NAME", .most = ns.most} {}

  terminal::Column ns;
  terminal::Column name;
  terminal::Column state{.heading = "STATE", .least = 9};
  terminal::Column workers{.heading = "WORKERS"};
  terminal::Column cores{.heading = "CORES", .align = terminal::Align::Right, .worth = 7};
  terminal::Column iteration{.heading = "ITERATION", .align = terminal::Align::Right, .worth = 5};
  terminal::Column loss{.heading = "LOSS", .align = terminal::Align::Right, .least = 8};
  terminal::Column bar{.heading = "PROGRESS", .worth = 4, .least = kBar};
  terminal::Column progress{
      .heading = "", .align = terminal::Align::Right, .worth = 8, .least = 4, .gap = 1, .orphan = "PROG"};
  terminal::Column gain{.heading = "GAIN", .align = terminal::Align::Right, .worth = 3, .least = 8};
  terminal::Column price{.heading = "PRICE", .align = terminal::Align::Right, .worth = 2, .least = 8};
  terminal::Column left{.heading = "LEFT", .align = terminal::Align::Right, .worth = 6, .least = 5};
  terminal::Column reason{.heading = "WHY", .worth = 1, .least = kLeastReason, .isSentence = true};

  void add(const TopRow& row, const terminal::Style& style);
  std::vector<terminal::Column> all(bool withNamespace) const;
};

void Columns::add(const TopRow& row, const terminal::Style& style) {
  const jobs::JobRow& job = row.job;
  ns.cells.push_back({job.key.ns});
  name.cells.push_back({job.key.name});
  state.cells.push_back({jobs::stateText(job), jobs::colourOf(job)});
  workers.cells.push_back({workersText(row)});
  cores.cells.push_back({toDecimal(inCores(job.cores))});
  iteration.cells.push_back({job.iteration ? toDecimal(job.iteration->value(), 9) : "-"});
  loss.cells.push_back({job.loss ? toDecimal(job.loss->value(), 5) : "-"});
  bar.cells.push_back({terminal::bar(job.reduced.value_or(0), kBar, style), terminal::Colour::Green});
  progress.cells.push_back({percentage(job.reduced)});
  gain.cells.push_back({gainOrDash(row.gainPerCore)});
  price.cells.push_back({gainOrDash(row.price)});
  left.cells.push_back({row.remaining ? terminal::toClock(*row.remaining) : "-"});
  reason.cells.push_back({job.reason});
}

std::vector<terminal::Column> Columns::all(bool withNamespace) const {
  std::vector<terminal::Column> shown = {name, state,    workers, cores, iteration, loss,
                                         bar,  progress, gain,    price, left,      reason};
  if (withNamespace) shown.insert(shown.begin(), ns);
  return shown;
}

std::string totalsLine(const TopView& view, const terminal::Frame& frame) {
  const Totals totals = totalsOf(view.rows);
  std::string text = "slaq  " + (view.ns.empty() ? "all namespaces" : view.ns) + "  " +
                     counted(static_cast<std::int64_t>(view.rows.size()), "job");
  const char* before = ": ";
  const auto add = [&](int count, const std::string& state) {
    if (count == 0) return;
    text += before + std::to_string(count) + " " + state;
    before = ", ";
  };
  for (const auto& [state, count] : totals.jobs)
    add(count - (state == JobState::Failed ? totals.stopped : 0), std::string(name(state)));
  add(totals.stopped, jobs::kStopped);
  text += "  cores " + toDecimal(inCores(totals.held));
  if (totals.price) text += "  price " + gainText(*totals.price, 3);
  return terminal::paint(terminal::cut(text, frame.columns, frame.style), terminal::Colour::Bold,
                         frame.style);
}

}  // namespace

std::string topTable(const TopView& view, const terminal::Frame& frame) {
  std::vector<std::string> lines = {totalsLine(view, frame)};
  if (!view.trouble.empty())
    lines.push_back(terminal::paint(terminal::cut(view.trouble, frame.columns, frame.style),
                                    terminal::Colour::Red, frame.style));
  if (!view.rows.empty()) {
    Columns columns(frame.columns);
    for (const auto& row : view.rows) columns.add(row, frame.style);
    std::ranges::move(terminal::gridLines(columns.all(view.ns.empty()), frame), std::back_inserter(lines));
  }
  return terminal::joined(terminal::withinFrame(std::move(lines), frame));
}

}  // namespace slaq::cli::top
