#include "cli/simulation/simulate_report.h"

#include <algorithm>
#include <cmath>

#include "cli/output/json.h"
#include "cli/terminal/grid.h"

namespace slaq::cli::simulation {
namespace {

using Allocator = rapidjson::Document::AllocatorType;

rapidjson::Value objectOf(const simulate::Spread& spread, Allocator& allocator) {
  manifest::ObjectWriter fields(allocator);
  output::addNumber(fields, "mean", spread.mean);
  output::addNumber(fields, "p95", spread.p95);
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
  output::addNumber(fields, "p50", timing.median);
  output::addNumber(fields, "p99", timing.p99);
  return fields.take();
}

// Rows of a label and figures.
class Figures {
 public:
  void add(std::string label, std::optional<double> first, std::optional<double> second = {}) {
    label_.cells.push_back({std::move(label)});
    mean_.cells.push_back({first ? toDecimal(*first, *first == std::floor(*first) ? 15 : 4) : "-"});
    p95_.cells.push_back({second ? toDecimal(*second) : ""});
  }
  void add(std::string label, const std::optional<simulate::Spread>& spread) {
    add(std::move(label), spread ? std::optional(spread->mean) : std::nullopt,
        spread ? std::optional(spread->p95) : std::nullopt);
  }

  std::string text() && {
    return terminal::joined(
        terminal::gridLines({std::move(label_), std::move(mean_), std::move(p95_)}, terminal::Frame()));
  }

 private:
  terminal::Column label_{.heading = ""};
  terminal::Column mean_{.heading = "MEAN", .align = terminal::Align::Right};
  terminal::Column p95_{.heading = "P95", .align = terminal::Align::Right};
};

}  // namespace

std::string outcomeJson(const simulate::Outcome& outcome, const scheduler::Settings& settings) {
  rapidjson::Document document;
  auto& allocator = document.GetAllocator();
  manifest::ObjectWriter fields(allocator);
  fields.add("policy", name(settings.policy)).add("predictor", settings.predictor);
  fields.add("jobs", static_cast<std::int64_t>(outcome.jobs.size()));
  output::addNumber(fields, "averageNormalizedLoss", outcome.averageNormalizedLoss);
  output::addNumber(fields, "meanLossIntegralSeconds", outcome.meanLossIntegralSeconds);
  fields.add("secondsToReduction", reductionsOf(outcome, allocator));
  fields.add("completionSeconds", objectOf(outcome.completionSeconds, allocator));
  output::addNumber(fields, "makespanSeconds", outcome.makespanSeconds);
  fields.add("resizes", outcome.resizes);
  if (!outcome.decisionMicroseconds.empty()) {
    fields.add("decisionMicroseconds", objectOf(timingOf(outcome), allocator));
  }
  return output::indented(fields.take());
}

std::string outcomeTable(const simulate::Outcome& outcome, const scheduler::Settings& settings) {
  Figures figures;
  figures.add("normalized loss, of active jobs", outcome.averageNormalizedLoss);
  figures.add("normalized loss, integral in s", outcome.meanLossIntegralSeconds);
  for (std::size_t i = 0; i < simulate::kReductions.size(); ++i) {
    figures.add("s to " + std::to_string(simulate::kReductions[i]) + "% reduction",
                outcome.secondsToReduction[i]);
  }
  figures.add("s to completion", outcome.completionSeconds);
  figures.add("s until all are over", outcome.makespanSeconds);
  figures.add("resizes", static_cast<double>(outcome.resizes));
  if (!outcome.decisionMicroseconds.empty()) {
    const Timing timing = timingOf(outcome);
    figures.add("us for a decision, median and p99", timing.median, timing.p99);
  }
  return std::to_string(outcome.jobs.size()) + " jobs under " + std::string(name(settings.policy)) +
         ", forecast by " + settings.predictor + "\n" + std::move(figures).text();
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
