#include "cli/run/summary.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "cli/jobs/change_lines.h"
#include "cli/jobs/job_rows.h"
#include "cli/terminal/text.h"

namespace slaq::cli::run {
namespace {

constexpr std::size_t kColumns = kShares.size() + 1;
constexpr std::array<const char*, kColumns> kHeadings = {"50%", "90%", "95%", "done"};
constexpr std::size_t kWidth = 9;
using Times = std::array<std::optional<Seconds>, kColumns>;

std::size_t nameWidth(const RunResult& run) {
  std::size_t width = 5;
  for (const auto& job : run.jobs) width = std::max(width, terminal::widthOf(toString(job.key)));
  return width;
}

std::string cellsOf(const Times& times) {
  std::string text;
  for (const auto& each : times) text += terminal::right(terminal::toSeconds(each), kWidth);
  return text;
}

std::string headings() {
  std::string text;
  for (const auto* each : kHeadings) text += terminal::right(each, kWidth);
  return text;
}

const Times* timesOf(const RunResult& run, const JobKey& key) {
  const auto found = std::ranges::find(run.jobs, key, &JobResult::key);
  return found == run.jobs.end() ? nullptr : &found->times;
}

// The mean of one column over the jobs that have a figure in both runs.
std::optional<Seconds> meanOf(const RunResult& run, const RunResult& other, std::size_t column) {
  Seconds sum{0};
  int count = 0;
  for (const auto& job : run.jobs) {
    const Times* there = timesOf(other, job.key);
    if (!job.times[column] || there == nullptr || !(*there)[column]) continue;
    sum += *job.times[column];
    ++count;
  }
  return count == 0 ? std::nullopt : std::optional(sum / count);
}

Times meansOf(const RunResult& run, const RunResult& other) {
  Times means;
  for (std::size_t i = 0; i < kColumns; ++i) means[i] = meanOf(run, other, i);
  return means;
}

std::string ratio(std::optional<Seconds> first, std::optional<Seconds> second) {
  if (!first || !second || *first <= Seconds(0)) return "-";
  char text[32];
  std::snprintf(text, sizeof text, "%.2fx", *second / *first);
  return text;
}

}  // namespace

std::string summaryOf(const RunResult& run) {
  const auto width = nameWidth(run);
  std::string text = "Time from arrival to so much of the job's own loss reduction (" + run.policy + ")\n";
  text += terminal::left("JOB", width) + headings() + "  STATE\n";
  for (const auto& job : run.jobs) {
    text += terminal::left(toString(job.key), width) + cellsOf(job.times) + "  " +
            (job.isStopped ? jobs::kStopped : std::string(name(job.state))) + "\n";
  }
  return text + terminal::left("mean", width) + cellsOf(meansOf(run, run)) + "\n";
}

std::set<JobKey> stoppedIn(const RunResult& first, const RunResult& second) {
  std::set<JobKey> stopped;
  for (const auto* run : {&first, &second}) {
    for (const auto& job : run->jobs) {
      if (job.isStopped) stopped.insert(job.key);
    }
  }
  return stopped;
}

std::string comparisonOf(const RunResult& first, const RunResult& second) {
  const auto width = nameWidth(first);
  const Times means[] = {meansOf(first, second), meansOf(second, first)};
  std::string text = "Time from arrival to so much of the job's own loss reduction\n";
  text += terminal::trimmed(terminal::left("", width) + "  " +
                            terminal::left(first.policy, kColumns * kWidth) + "   " + second.policy) +
          "\n";
  text += terminal::left("JOB", width) + headings() + "   " + headings() + "\n";
  for (const auto& job : first.jobs) {
    const Times* there = timesOf(second, job.key);
    text += terminal::left(toString(job.key), width) + cellsOf(job.times) + "   " +
            cellsOf(there ? *there : Times()) + "\n";
  }
  text += terminal::left("mean", width) + cellsOf(means[0]) + "   " + cellsOf(means[1]) + "\n";
  text += terminal::left("ratio", width);
  for (std::size_t i = 0; i < kColumns; ++i) text += terminal::right(ratio(means[0][i], means[1][i]), kWidth);
  text += "   (" + second.policy + " to " + first.policy + ")\n";
  for (const auto& key : stoppedIn(first, second))
    text += toString(key) + " was stopped, and does not count in the comparison\n";
  return text;
}

std::map<JobKey, page::JobEnd> endsOf(const RunResult& run) {
  std::map<JobKey, page::JobEnd> ends;
  for (const auto& job : run.jobs) {
    page::JobEnd& end = ends[job.key];
    for (std::size_t i = 0; i < kShares.size(); ++i)
      end.reductions.push_back({static_cast<int>(std::lround(100 * kShares[i])), job.times[i]});
    end.completion = job.times.back();
  }
  return ends;
}

std::string lossCsvHeader() { return "policy,job,seconds,iteration,loss\n"; }

std::string lossCsvLine(std::string_view policy, const JobKey& job, Seconds since, const LossSample& sample) {
  return std::string(policy) + "," + toString(job) + "," + toDecimal(since.count(), 7) + "," +
         toDecimal(sample.iteration.value(), 15) + "," + toDecimal(sample.loss.value(), 9) + "\n";
}

std::string failuresOf(const RunResult& run) {
  std::string text;
  for (const auto& job : run.jobs) {
    if (job.state != JobState::Failed) continue;
    text += toString(job.key) + " failed" + (job.failure.empty() ? "" : ": " + job.failure) + "\n";
  }
  return text;
}

std::string silentOf(const RunResult& run) {
  std::string lines;
  int count = 0;
  bool exports = false;
  for (const auto& job : run.jobs) {
    if (!job.losses.empty() || !job.needsLoss || job.isStopped || job.state == JobState::Failed) continue;
    ++count;
    exports = exports || job.exportsLoss;
    lines +=
        "  " + toString(job.key) + ": " + (job.problem.empty() ? "it ended too soon" : job.problem) + "\n";
  }
  if (count == 0) return "";
  return std::to_string(count) + " of " + std::to_string(run.jobs.size()) +
         (run.jobs.size() == 1 ? " job" : " jobs") +
         " exported no loss, and had cores without regard to it:\n" + lines +
         (exports
              ? "A program exports it on the port in its environment variable SLAQ_METRICS_PORT, as "
                "docs/your-trainer.md tells. A program that prints it needs spec.loss.from: {output: {}}.\n"
              : "docs/your-trainer.md tells what is read of what programs write.\n");
}

std::string restartsOf(const RunResult& run) {
  std::string text;
  for (const auto& job : run.jobs) {
    if (job.restarts == 0) continue;
    text += toString(job.key) + " was started again " + jobs::timesText(job.restarts) +
            ": its program ended with " + job.lastFailure + "\n";
  }
  return text;
}

std::string hintsOf(const RunResult& run) {
  std::string text;
  for (const auto& job : run.jobs) {
    for (const auto& hint : job.hints) text += "hint: " + toString(job.key) + ": " + hint + "\n";
  }
  return text;
}

}  // namespace slaq::cli::run
