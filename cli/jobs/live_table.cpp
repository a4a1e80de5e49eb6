#include "cli/jobs/live_table.h"

#include <algorithm>
#include <iterator>
#include <vector>

namespace slaq::cli::jobs {
namespace {

constexpr std::size_t kLongestName = 24;
constexpr std::size_t kBar = 8;
constexpr std::size_t kLeastReason = 16;
constexpr const char* kCores = "CORES";

std::string percentage(const std::optional<double>& share) {
  return share ? std::to_string(static_cast<int>(*share * 100)) + "%" : "-";
}

// Columns in the order in which they are shown.
struct Columns {
  terminal::Column name{.heading = "JOB", .least = 3, .most = kLongestName};
  terminal::Column state{.heading = "STATE", .least = 9};
  terminal::Column workersBar{.heading = "WORKERS", .worth = 2, .least = kBar};
  terminal::Column workers{
      .heading = "", .align = terminal::Align::Right, .least = 5, .gap = 1, .orphan = "WORK."};
  terminal::Column iteration{.heading = "ITERATION", .align = terminal::Align::Right, .least = 9};
  terminal::Column loss{.heading = "LOSS", .align = terminal::Align::Right, .least = 9};
  terminal::Column reducedBar{.heading = "REDUCED", .worth = 2, .least = kBar};
  terminal::Column reduced{
      .heading = "", .align = terminal::Align::Right, .least = 4, .gap = 1, .orphan = "RED."};
  terminal::Column reason{.heading = "WHY", .worth = 1, .least = kLeastReason, .isSentence = true};

  // If each job has one process, the table has cores instead of workers.
  void nameCores() { workersBar.heading = workers.orphan = kCores; }
  void add(const JobRow& row, const terminal::Style& style);
  std::vector<terminal::Column> all() const {
    return {name, state, workersBar, workers, iteration, loss, reducedBar, reduced, reason};
  }
};

// A job of one process, such as a command, whose CPU changes.
bool isOneProcess(const JobRow& row) { return row.mostCpu && row.most == Workers(1); }

// "1.25/2" of the cores that the job's process can use.
std::string coresText(const JobRow& row) {
  return toDecimal(inCores(row.cpu.value_or(Cores())), 3) + "/" + toDecimal(inCores(*row.mostCpu), 3);
}

// "5/8" of the workers that the job can use; "2x1.25" where it has two of 1.25 cores each.
std::string workersText(const JobRow& row) {
  const std::string count = std::to_string(row.workers.value());
  if (!row.mostCpu) return count + "/" + std::to_string(row.most.value());
  return row.cpu ? count + "x" + toDecimal(inCores(*row.cpu), 3) : count;
}

// The share of the usable workers or cores that the job has.
double shareOf(const JobRow& row) {
  if (row.mostCpu) return row.cpu ? inCores(*row.cpu) / inCores(*row.mostCpu) : 0;
  return static_cast<double>(row.workers.value()) / std::max(1, row.most.value());
}

void Columns::add(const JobRow& row, const terminal::Style& style) {
  name.cells.push_back({shortName(row.key)});
  state.cells.push_back({stateText(row), colourOf(row)});
  workersBar.cells.push_back({terminal::bar(shareOf(row), kBar, style), terminal::Colour::Cyan});
  workers.cells.push_back({workersBar.heading == kCores ? coresText(row) : workersText(row)});
  iteration.cells.push_back({row.iteration ? toDecimal(row.iteration->value(), 9) : "-"});
  loss.cells.push_back({row.loss ? toDecimal(row.loss->value(), 5) : "-"});
  reducedBar.cells.push_back({terminal::bar(row.reduced.value_or(0), kBar, style), terminal::Colour::Green});
  reduced.cells.push_back({percentage(row.reduced)});
  const std::string failed =
      row.chief.failures == 0 || isOver(row)
          ? ""
          : "failed " + timesText(row.chief.failures) + ", last with " + row.chief.last + "; ";
  reason.cells.push_back({failed + (row.problem.empty() ? row.reason : "no loss: " + row.problem)});
}

std::string summaryLine(const RunSnapshot& snapshot, const terminal::Frame& frame) {
  Cores held;
  std::size_t done = 0;
  for (const auto& row : snapshot.jobs) {
    held += row.cores;
    done += isOver(row) ? 1 : 0;
  }
  const std::string text = "slaq  " + snapshot.policy + "  " + terminal::toClock(snapshot.age) + "  cores " +
                           toDecimal(inCores(held)) + " of " + toDecimal(inCores(snapshot.capacity)) +
                           "  jobs " + std::to_string(snapshot.jobs.size() - done) + " here, " +
                           std::to_string(done) + " done, " + std::to_string(snapshot.toCome) + " to come";
  return terminal::paint(terminal::cut(text, frame.columns, frame.style), terminal::Colour::Bold,
                         frame.style);
}

}  // namespace

terminal::Colour colourOf(const JobRow& row) {
  if (row.isStopped) return terminal::Colour::Dim;
  switch (row.state) {
    case JobState::Running:
      return terminal::Colour::Cyan;
    case JobState::Complete:
      return terminal::Colour::Green;
    case JobState::Failed:
      return terminal::Colour::Red;
    case JobState::Waiting:
      return terminal::Colour::Yellow;
    case JobState::Pending:
    case JobState::Suspended:
      break;
  }
  return terminal::Colour::Dim;
}

std::string liveTable(const RunSnapshot& snapshot, const terminal::Frame& frame) {
  std::vector<std::string> lines = {summaryLine(snapshot, frame)};
  if (!snapshot.jobs.empty()) {
    Columns columns;
    if (std::ranges::all_of(snapshot.jobs, isOneProcess)) columns.nameCores();
    for (const auto& row : snapshot.jobs) columns.add(row, frame.style);
    std::ranges::move(terminal::gridLines(columns.all(), frame), std::back_inserter(lines));
  }
  return terminal::joined(terminal::withinFrame(std::move(lines), frame));
}

}  // namespace slaq::cli::jobs
