#include "cli/report/comparison.h"

#include <algorithm>

#include "base/figures.h"
#include "manifest/object_writer.h"

namespace slaq::cli::report {
namespace {

using manifest::ObjectWriter;
using Allocator = rapidjson::Document::AllocatorType;

std::optional<Seconds> secondsTo(const simulate::JobOutcome& job, int percent) {
  const auto found = std::ranges::find(simulate::kReductions, percent);
  return job.reductions[static_cast<std::size_t>(found - simulate::kReductions.begin())];
}

std::string clockOf(std::optional<Seconds> time) { return time ? terminal::toClock(*time) : "-"; }

std::string percentOf(double ratio) { return std::to_string(static_cast<int>(100 * ratio + 0.5)) + "%"; }

// A time of all jobs that have it in both, in the mean.
struct Means {
  double was = 0;
  double would = 0;
  int jobs = 0;
};

template <class TimeOf>
Means meansOf(const Comparison& comparison, TimeOf timeOf) {
  Means means;
  for (std::size_t i = 0; i < comparison.was.jobs.size(); ++i) {
    const std::optional<Seconds> was = timeOf(comparison.was.jobs[i]);
    const std::optional<Seconds> would = timeOf(comparison.would.jobs[i]);
    if (!was || !would) continue;
    means.was += was->count();
    means.would += would->count();
    ++means.jobs;
  }
  if (means.jobs > 0) {
    means.was /= means.jobs;
    means.would /= means.jobs;
  }
  return means;
}

std::string sentenceOf(const std::string& what, const Means& means) {
  if (means.jobs == 0 || means.was <= 0) return {};
  const double ratio = means.would / means.was;
  const std::string how = ratio < 1 ? percentOf(1 - ratio) + " sooner" : percentOf(ratio - 1) + " later";
  return what + ": after " + terminal::toClock(Seconds(means.was)) + " in the mean, and after " +
         terminal::toClock(Seconds(means.would)) + " with slaq (" + how + ")\n";
}

std::string jobsTable(const Comparison& comparison, const terminal::Frame& frame) {
  using terminal::Align;
  std::vector<terminal::Column> columns = {{.heading = "JOB"},
                                           {.heading = "WORKERS", .align = Align::Right},
                                           {.heading = "TO 90%", .align = Align::Right},
                                           {.heading = "WITH SLAQ", .align = Align::Right},
                                           {.heading = "TO THE END", .align = Align::Right, .worth = 1},
                                           {.heading = "WITH SLAQ", .align = Align::Right, .worth = 1}};
  for (std::size_t i = 0; i < comparison.was.jobs.size(); ++i) {
    const auto& was = comparison.was.jobs[i];
    const auto& would = comparison.would.jobs[i];
    columns[0].cells.push_back({toString(comparison.past.keys[i])});
    columns[1].cells.push_back({toDecimal(comparison.past.workers[i], 2)});
    columns[2].cells.push_back({clockOf(secondsTo(was, 90))});
    columns[3].cells.push_back({clockOf(secondsTo(would, 90))});
    columns[4].cells.push_back({clockOf(was.completion)});
    columns[5].cells.push_back({clockOf(would.completion)});
  }
  return terminal::joined(terminal::gridLines(std::move(columns), frame));
}

rapidjson::Value timesOf(const simulate::JobOutcome& job, Allocator& allocator) {
  ObjectWriter times(allocator);
  for (const int percent : {90, 95}) {
    const auto time = secondsTo(job, percent);
    times.addNumber(percent == 90 ? "secondsTo90" : "secondsTo95",
                    time ? std::optional(time->count()) : std::nullopt);
  }
  times.addNumber("seconds", job.completion.count())
      .addNumber("lossIntegralSeconds", job.lossIntegralSeconds);
  return times.take();
}

rapidjson::Value listOf(const std::vector<std::string>& texts, Allocator& allocator) {
  rapidjson::Value list(rapidjson::kArrayType);
  for (const auto& each : texts) list.PushBack(rapidjson::Value(each.c_str(), allocator), allocator);
  return list;
}

}  // namespace

std::string comparisonText(const Comparison& comparison, const terminal::Frame& frame) {
  const auto& past = comparison.past;
  std::string text = counted(static_cast<std::int64_t>(past.keys.size()), "job") + " from " +
                     toRfc3339(comparison.begin) + " to " + toRfc3339(comparison.end) +
                     ", as they were and as " + comparison.policy + " would have had them on the same " +
                     coresText(past.capacity) +
                     "; the reduction is how far their losses fell in this time\n\n";
  text += sentenceOf("90% of the reduction",
                     meansOf(comparison, [](const auto& job) { return secondsTo(job, 90); }));
  text += sentenceOf("95% of the reduction",
                     meansOf(comparison, [](const auto& job) { return secondsTo(job, 95); }));
  text += sentenceOf("the same iterations",
                     meansOf(comparison, [](const auto& job) { return std::optional(job.completion); }));
  text += "\n" + jobsTable(comparison, frame);
  if (!past.ofOneSize.empty())
    text += "\nThese ran with one size only, so that their speeds with other sizes are estimated: " +
            terminal::listOf(past.ofOneSize, 10) + "\n";
  for (const auto& each : past.left) text += "left out: " + each + "\n";
  return text;
}

std::string comparisonJson(const Comparison& comparison) {
  rapidjson::Document document;
  auto& allocator = document.GetAllocator();
  rapidjson::Value jobs(rapidjson::kArrayType);
  for (std::size_t i = 0; i < comparison.was.jobs.size(); ++i) {
    ObjectWriter job(allocator);
    job.add("namespace", comparison.past.keys[i].ns)
        .add("name", comparison.past.keys[i].name)
        .addNumber("workers", comparison.past.workers[i])
        .add("was", timesOf(comparison.was.jobs[i], allocator))
        .add("would", timesOf(comparison.would.jobs[i], allocator));
    jobs.PushBack(job.take(), allocator);
  }
  ObjectWriter whole(allocator);
  whole.add("begin", comparison.begin)
      .add("end", comparison.end)
      .add("policy", comparison.policy)
      .add("jobs", std::move(jobs))
      .add("ofOneSize", listOf(comparison.past.ofOneSize, allocator))
      .add("leftOut", listOf(comparison.past.left, allocator));
  return manifest::toText(whole.take());
}

}  // namespace slaq::cli::report
