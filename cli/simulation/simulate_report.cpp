#include "cli/simulation/simulate_report.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "cli/output/json.h"
#include "cli/terminal/grid.h"
#include "manifest/object_writer.h"

namespace slaq::cli::simulation {
namespace {

using Allocator = rapidjson::Document::AllocatorType;

rapidjson::Value objectOf(const simulate::Spread& spread, Allocator& allocator) {
  manifest::ObjectWriter fields(allocator);
  fields.addNumber("mean", spread.mean);
  fields.addNumber("p95", spread.p95);
  return fields.take();
}

rapidjson::Value reductionsOf(const simulate::Outcome& outcome, Allocator& allocator) {
  rapidjson::Value reductions(rapidjson::kObjectType);
  for (std::size_t i = 0; i < simulate::kReductions.size(); ++i) {
    rapidjson::Value percent(std::to_string(simulate::kReductions[i]).c_str(), allocator);
    const auto& spread = outcome.secondsToReduction[i];
    if (spread) reductions.AddMember(percent, objectOf(*spread, allocator), allocator);
  }
  return reductions;
}

// Microseconds for a decision.
struct Timing {
  double median;
  double p99;
};

Timing timingOf(const simulate::Outcome& outcome) {
  auto ascending = outcome.decisionMicroseconds;
  std::ranges::sort(ascending);
  return {simulate::quantile(ascending, 0.5), simulate::quantile(ascending, 0.99)};
}

rapidjson::Value objectOf(const Timing& timing, Allocator& allocator) {
  manifest::ObjectWriter fields(allocator);
  fields.addNumber("p50", timing.median);
  fields.addNumber("p99", timing.p99);
  return fields.take();
}

// Rows of a label and figures, below the headings of the figures.
class Figures {
 public:
  explicit Figures(const std::vector<std::string>& headings) : columns_{{.heading = ""}} {
    for (const auto& heading : headings)
      columns_.push_back({.heading = heading, .align = terminal::Align::Right});
  }

  void add(std::string label, const std::vector<std::string>& cells) {
    columns_.front().cells.push_back({std::move(label)});
    for (std::size_t i = 0; i < cells.size(); ++i) columns_[i + 1].cells.push_back({cells[i]});
  }

  std::string text() && {
    return terminal::joined(terminal::gridLines(std::move(columns_), terminal::Frame()));
  }

 private:
  std::vector<terminal::Column> columns_;
};

std::string meanText(const std::optional<double>& mean) {
  return mean ? toDecimal(*mean, *mean == std::floor(*mean) ? 15 : 4) : "-";
}

// One of the figures of an outcome: its mean over jobs and its 95th percentile, where it has them.
struct Figure {
  std::string label;
  std::optional<double> mean;
  std::optional<double> p95 = {};

  Figure(std::string text, std::optional<double> value) : label(std::move(text)), mean(value) {}
  Figure(std::string text, const std::optional<simulate::Spread>& spread) : label(std::move(text)) {
    if (!spread) return;
    mean = spread->mean;
    p95 = spread->p95;
  }
};

std::vector<Figure> figuresOf(const simulate::Outcome& outcome) {
  std::vector<Figure> figures = {
      {"normalized loss, of active jobs", std::optional(outcome.averageNormalizedLoss)},
      {"normalized loss, integral in s", outcome.meanLossIntegralSeconds}};
  for (std::size_t i = 0; i < simulate::kReductions.size(); ++i)
    figures.emplace_back("s to " + std::to_string(simulate::kReductions[i]) + "% reduction",
                         outcome.secondsToReduction[i]);
  figures.emplace_back("s to completion", std::optional(outcome.completionSeconds));
  figures.emplace_back("s until all are over", std::optional(outcome.makespanSeconds));
  figures.emplace_back("resizes", std::optional(static_cast<double>(outcome.resizes)));
  return figures;
}

std::string ratioText(const std::optional<double>& ours, const std::optional<double>& others) {
  return ours && others && *ours > 0 ? toDecimal(*others / *ours, 3) + "x" : "-";
}

rapidjson::Value objectOf(const simulate::Outcome& outcome, const scheduler::Settings& settings,
                          Allocator& allocator) {
  manifest::ObjectWriter fields(allocator);
  fields.add("policy", name(settings.policy)).add("predictor", settings.predictor);
  fields.add("jobs", static_cast<std::int64_t>(outcome.jobs.size()));
  fields.addNumber("averageNormalizedLoss", outcome.averageNormalizedLoss);
  fields.addNumber("meanLossIntegralSeconds", outcome.meanLossIntegralSeconds);
  fields.add("secondsToReduction", reductionsOf(outcome, allocator));
  fields.add("completionSeconds", objectOf(outcome.completionSeconds, allocator));
  fields.addNumber("makespanSeconds", outcome.makespanSeconds);
  fields.add("resizes", outcome.resizes);
  if (!outcome.decisionMicroseconds.empty()) {
    fields.add("decisionMicroseconds", objectOf(timingOf(outcome), allocator));
  }
  return fields.take();
}

}  // namespace

std::string outcomeJson(const Simulated& run) {
  rapidjson::Document document;
  return output::indented(objectOf(run.outcome, run.settings, document.GetAllocator()));
}

std::string outcomeTable(const Simulated& run) {
  Figures table({"MEAN", "P95"});
  for (const auto& figure : figuresOf(run.outcome))
    table.add(figure.label, {meanText(figure.mean), figure.p95 ? toDecimal(*figure.p95) : ""});
  if (!run.outcome.decisionMicroseconds.empty()) {
    const Timing timing = timingOf(run.outcome);
    table.add("us for a decision, median and p99", {meanText(timing.median), toDecimal(timing.p99)});
  }
  return std::to_string(run.outcome.jobs.size()) + " jobs under " + std::string(name(run.settings.policy)) +
         ", forecast by " + run.settings.predictor + "\n" + std::move(table).text();
}

std::string comparisonJson(const Simulated& ours, const Simulated& others) {
  rapidjson::Document document;
  auto& allocator = document.GetAllocator();
  rapidjson::Value policies(rapidjson::kArrayType);
  for (const auto* run : {&ours, &others})
    policies.PushBack(objectOf(run->outcome, run->settings, allocator), allocator);
  manifest::ObjectWriter fields(allocator);
  fields.add("policies", std::move(policies));
  return output::indented(fields.take());
}

std::string comparisonTable(const Simulated& ours, const Simulated& others) {
  const std::string ourName(name(ours.settings.policy)), otherName(name(others.settings.policy));
  Figures table({ourName, otherName, "RATIO"});
  const auto left = figuresOf(ours.outcome), right = figuresOf(others.outcome);
  for (std::size_t i = 0; i < left.size(); ++i)
    table.add(left[i].label,
              {meanText(left[i].mean), meanText(right[i].mean), ratioText(left[i].mean, right[i].mean)});
  if (!ours.outcome.decisionMicroseconds.empty()) {
    const double first = timingOf(ours.outcome).median, second = timingOf(others.outcome).median;
    table.add("us for a decision, median", {meanText(first), meanText(second), ratioText(first, second)});
  }
  return std::to_string(ours.outcome.jobs.size()) + " jobs, forecast by " + ours.settings.predictor +
         "; means, and the ratio of " + otherName + " to " + ourName + "\n" + std::move(table).text();
}

std::string jobsCsv(const simulate::Outcome& outcome) {
  std::string text = "name,arrivalSeconds";
  for (const int percent : simulate::kReductions) text += ",secondsTo" + std::to_string(percent);
  text += ",completionSeconds,lossIntegralSeconds,resizes\n";
  for (const auto& job : outcome.jobs) {
    text += job.name + "," + toDecimal(job.arrival.count(), 9);
    for (const auto& time : job.reductions) text += "," + (time ? toDecimal(time->count(), 9) : "");
    text += "," + toDecimal(job.completion.count(), 9) + "," +
            (job.lossIntegralSeconds ? toDecimal(*job.lossIntegralSeconds, 9) : "") + "," +
            std::to_string(job.resizes) + "\n";
  }
  return text;
}

std::map<JobKey, page::JobEnd> endsOf(const simulate::Outcome& outcome) {
  std::map<JobKey, page::JobEnd> ends;
  for (const auto& job : outcome.jobs) {
    page::JobEnd& end = ends[{"default", job.name}];
    for (std::size_t i = 0; i < simulate::kReductions.size(); ++i)
      end.reductions.push_back({simulate::kReductions[i], job.reductions[i]});
    end.completion = job.completion;
  }
  return ends;
}

std::string seriesHeader() {
  return "seconds,activeJobs,averageNormalizedLoss,cores,highestQuarterShare,middleQuarterShare,"
         "lowestHalfShare\n";
}

std::string seriesRow(const simulate::EpochMoment& moment) {
  const double figures[] = {moment.averageNormalizedLoss, static_cast<double>(moment.cores), moment.highest,
                            moment.middle, moment.lowest};
  std::string row = toDecimal(moment.time.count(), 12) + "," + std::to_string(moment.active);
  for (const double figure : figures) row += "," + toDecimal(figure, 6);
  return row + "\n";
}

}  // namespace slaq::cli::simulation
