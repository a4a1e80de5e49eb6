#include "cli/jobs/change_lines.h"

#include <algorithm>
#include <cctype>

#include "base/figures.h"
#include "cli/terminal/text.h"

namespace slaq::cli::jobs {
namespace {

std::string workersText(const JobRow& was, const JobRow& is) {
  return std::to_string(was.desired.value()) + " -> " + counted(is.desired);
}

std::string cpuText(const JobRow& was, const JobRow& is) {
  const bool isOne = is.desired == Workers(1);
  const auto figure = [&](Cores cpu) { return isOne ? toDecimal(inCores(cpu)) : toString(cpu); };
  const std::string each = isOne ? decimalCoresText(*is.desiredCpu)
                                 : coresText(*is.desiredCpu) + " for each of " + counted(is.desired);
  return was.desiredCpu && was.desired == is.desired ? figure(*was.desiredCpu) + " -> " + each : each;
}

std::string lossText(const JobRow& row) {
  if (!row.loss || !row.iteration) return "";
  return ", loss " + toDecimal(row.loss->value()) + " at iteration " + toDecimal(row.iteration->value(), 9);
}

std::string waitText(const JobRow& row) {
  return row.awaited ? ", as soon as " + coresText(*row.awaited) +
                           (*row.awaited == Cores(1000) ? " is free" : " are free")
                     : "";
}

// The change of a job's decided size. It is empty if the decision has not changed, so each change is printed
// once.
std::string resizeText(const JobRow& was, const JobRow& is) {
  const bool byCpu = is.desiredCpu && is.desired > Workers(0);
  if (byCpu && (was.desiredCpu != is.desiredCpu || was.desired != is.desired)) {
    return cpuText(was, is) + waitText(is);
  }
  return was.desired != is.desired ? workersText(was, is) + waitText(is) : "";
}

// A problem or a hint is not printed again if only a figure in it has changed.
std::string withoutDigits(std::string text) {
  std::erase_if(text, [](unsigned char c) { return std::isdigit(c) != 0; });
  return text;
}

std::string failureText(const JobRow& was, const JobRow& is) {
  if (is.chief.failures <= was.chief.failures) return "";
  return "its program ended with " + is.chief.last + "; it has failed " + timesText(is.chief.failures) +
         " so far";
}

// The changes of one job; a job that has just arrived counts as Pending without workers before.
std::vector<std::string> changesOf(const JobRow& was, const JobRow& is) {
  const std::string why = is.reason.empty() ? "" : ": " + is.reason;
  const bool hasEnded = (was.state != is.state && finished(is.state)) || (!was.isStopped && is.isStopped);
  if (hasEnded) return {stateText(is) + lossText(is) + why};
  if (is.isStopped) return {};
  std::vector<std::string> changes;
  if (was.state != is.state && is.state != JobState::Running) {
    changes.push_back(std::string(name(is.state)) + why);
  }
  // A job that ends between two epochs keeps its decided size until the next one.
  const auto resize = finished(was.state) ? "" : resizeText(was, is);
  if (!resize.empty()) changes.push_back(resize + why);
  if (!is.problem.empty() && withoutDigits(was.problem) != withoutDigits(is.problem))
    changes.push_back("no loss: " + is.problem);
  if (const auto failed = failureText(was, is); !failed.empty()) changes.push_back(failed);
  for (const auto& hint : is.hints) {
    if (std::ranges::find(was.hints, withoutDigits(hint), withoutDigits) == was.hints.end())
      changes.push_back("hint: " + hint);
  }
  return changes;
}

}  // namespace

std::string timesText(int times) { return times == 1 ? "once" : std::to_string(times) + " times"; }

std::vector<std::string> changeLines(const std::vector<JobRow>& before, const RunSnapshot& now) {
  std::vector<std::string> lines;
  const std::string time = terminal::right(terminal::toSeconds(now.age), 9) + "  ";
  for (const auto& row : now.jobs) {
    const std::string prefix = time + toString(row.key) + "  ";
    const auto found = std::ranges::find(before, row.key, &JobRow::key);
    if (found == before.end() && !row.isStopped) lines.push_back(prefix + "arrived");
    for (const auto& change : changesOf(found == before.end() ? JobRow() : *found, row))
      lines.push_back(prefix + change);
  }
  return lines;
}

}  // namespace slaq::cli::jobs
