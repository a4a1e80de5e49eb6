#include "cli/advise/advice_report.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/figures.h"
#include "cli/output/json.h"
#include "cli/terminal/page.h"
#include "manifest/object_writer.h"
#include "page/document.h"

namespace slaq::cli::advise {
namespace {

using terminal::Align;
using terminal::Column;

constexpr std::size_t kSpeedBar = 10;  // columns
constexpr double kNearlyDone = 0.98;
constexpr std::string_view kMargin = "  ";

std::string hoursText(double hours) { return toDecimal(hours, 3); }

std::string iterationText(Seconds seconds) {
  return seconds < Seconds(60) ? terminal::toSeconds(seconds) : terminal::toClock(seconds);
}

std::string markOf(const Outlook& outlook, const Advice& advice, std::size_t i) {
  std::string mark;
  if (i == advice.fastest) mark += ", fastest";
  if (i == advice.knee) mark += ", knee";
  if (outlook.now == advice.sizes[i].speed.workers) mark += ", now";
  return mark;
}

std::vector<std::string> tableOf(const Outlook& outlook, const Advice& advice, const terminal::Frame& frame) {
  Column workers{.heading = "WORKERS", .align = Align::Right};
  Column iteration{.heading = "ITERATION", .align = Align::Right};
  std::vector<Column> times;
  for (const Milestone& each : outlook.milestones)
    times.push_back({.heading = "TO " + std::to_string(each.reductionPercent) + "%", .align = Align::Right});
  Column cost{.heading = "CORE-H", .align = Align::Right};
  if (advice.told)
    cost.heading += " TO " + std::to_string(outlook.milestones[*advice.told].reductionPercent) + "%";
  Column speed{.heading = "SPEED", .least = kSpeedBar};
  Column basis{.heading = ""};
  const double fastest = advice.sizes[advice.fastest].speed.iteration.count();
  for (std::size_t i = 0; i < advice.sizes.size(); ++i) {
    const SizeAdvice& size = advice.sizes[i];
    workers.cells.push_back({std::to_string(size.speed.workers.value())});
    iteration.cells.push_back({iterationText(size.speed.iteration)});
    for (std::size_t t = 0; t < times.size(); ++t)
      times[t].cells.push_back({terminal::toClock(size.times[t])});
    cost.cells.push_back({hoursText(size.coreHours.value_or(0))});
    const double share = std::min(1.0, fastest / size.speed.iteration.count());
    speed.cells.push_back({terminal::bar(share, kSpeedBar, frame.style)});
    basis.cells.push_back({(size.speed.measured ? "measured" : "estimated") + markOf(outlook, advice, i)});
  }
  std::vector<Column> columns = {std::move(workers), std::move(iteration)};
  std::ranges::move(times, std::back_inserter(columns));
  if (advice.told) columns.push_back(std::move(cost));
  columns.push_back(std::move(speed));
  columns.push_back(std::move(basis));
  terminal::Frame room = frame;
  room.columns -= std::min(room.columns, kMargin.size());
  return gridLines(std::move(columns), room);
}

std::string sizeText(const Outlook& outlook, const Advice& advice, std::size_t i) {
  const SizeAdvice& size = advice.sizes[i];
  const std::string workers = counted(size.speed.workers);
  if (!advice.told) return workers + ", " + iterationText(size.speed.iteration) + " an iteration";
  return workers + ": " + std::to_string(outlook.milestones[*advice.told].reductionPercent) +
         "% of the reduction in " + terminal::toClock(size.times[*advice.told]) + ", " +
         hoursText(*size.coreHours) + " core-hours";
}

std::string fastestText(const Outlook& outlook, const Advice& advice) {
  std::string text = sizeText(outlook, advice, advice.fastest);
  if (advice.fastest + 1 == advice.sizes.size()) return text;
  const SizeSpeed& next = advice.sizes[advice.fastest + 1].speed;
  const bool isFaster = next.iteration < advice.sizes[advice.fastest].speed.iteration;
  return text + "; " + counted(next.workers) + (isFaster ? " would hardly be faster" : " would be no faster");
}

// "1, 2 and 4 workers".
std::string measuredText(const Advice& advice) {
  std::vector<std::string> sizes;
  for (const SizeAdvice& each : advice.sizes) {
    if (each.speed.measured) sizes.push_back(std::to_string(each.speed.workers.value()));
  }
  if (sizes.empty()) return "no number of workers was measured for long enough yet: these are estimates";
  std::string text = sizes.front();
  for (std::size_t i = 1; i < sizes.size(); ++i) text += (i + 1 == sizes.size() ? " and " : ", ") + sizes[i];
  return text + (sizes == std::vector<std::string>{"1"} ? " worker was" : " workers were") + " measured";
}

std::string certaintyText(const Outlook& outlook, const Advice& advice) {
  std::string text = measuredText(advice);
  const Workers largest = advice.sizes.back().speed.workers;
  if (outlook.most && *outlook.most > largest)
    text += "; of more than " + std::to_string(largest.value()) + " nothing is known";
  if (outlook.backTestError)
    text +=
        "; forecasts of its loss missed by " + toDecimal(100 * *outlook.backTestError, 2) + "% of its fall";
  return text;
}

std::string lossText(const Outlook& outlook) {
  if (!outlook.whyNotForecast.empty()) return outlook.whyNotForecast;
  if (outlook.doneShare.value_or(0) > kNearlyDone) return "nearly all of the reduction is done";
  return "cannot be forecast yet: how long it takes is not known";
}

// Pairs of a subject and a sentence.
std::vector<std::pair<std::string, std::string>> sentencesOf(const Outlook& outlook, const Advice& advice) {
  std::vector<std::pair<std::string, std::string>> out{{"fastest", fastestText(outlook, advice)}};
  if (advice.knee != advice.fastest)
    out.emplace_back("knee", sizeText(outlook, advice, advice.knee) + "; beyond it time is bought dearly");
  out.emplace_back("how sure", certaintyText(outlook, advice));
  if (!advice.told) out.emplace_back("loss", lossText(outlook));
  return out;
}

manifest::ObjectWriter fieldsOf(const std::string& title, const Outlook& outlook, const Advice& advice,
                                rapidjson::Document::AllocatorType& allocator) {
  rapidjson::Value sizes(rapidjson::kArrayType);
  for (const SizeAdvice& each : advice.sizes) {
    manifest::ObjectWriter fields(allocator);
    fields.add("workers", each.speed.workers).add("measured", each.speed.measured);
    fields.addNumber("secondsPerIteration", each.speed.iteration.count());
    rapidjson::Value times(rapidjson::kObjectType);
    for (std::size_t t = 0; t < each.times.size(); ++t) {
      const std::string percent = std::to_string(outlook.milestones[t].reductionPercent);
      times.AddMember(rapidjson::Value(percent.c_str(), allocator), rapidjson::Value(each.times[t].count()),
                      allocator);
    }
    fields.add("secondsToReduction", std::move(times));
    fields.addNumber("coreHours", each.coreHours);
    sizes.PushBack(fields.take(), allocator);
  }
  manifest::ObjectWriter fields(allocator);
  fields.add("job", title).add("sizes", std::move(sizes));
  fields.add("fastest", advice.sizes[advice.fastest].speed.workers);
  fields.add("knee", advice.sizes[advice.knee].speed.workers);
  if (outlook.now) fields.add("workers", *outlook.now);
  if (!outlook.whyNotForecast.empty()) fields.add("whyNotForecast", outlook.whyNotForecast);
  fields.addNumber("backTestError", outlook.backTestError);
  return fields;
}

}  // namespace

std::string adviceText(const std::string& title, const Outlook& outlook, const Advice& advice,
                       const terminal::Frame& frame) {
  terminal::Page page(frame);
  std::string head = title;
  if (outlook.now) head += "  " + counted(*outlook.now);
  if (outlook.doneShare) head += ", " + toDecimal(100 * *outlook.doneShare, 2) + "% of the reduction done";
  page.line(head);
  page.gap();
  for (const auto& line : tableOf(outlook, advice, frame)) page.line(std::string(kMargin) + line);
  page.gap();
  for (const auto& [about, sentence] : sentencesOf(outlook, advice)) page.add(about, sentence);
  return page.text();
}

std::string adviceJson(const std::string& title, const Outlook& outlook, const Advice& advice) {
  rapidjson::Document document;
  return output::indented(fieldsOf(title, outlook, advice, document.GetAllocator()).take());
}

std::string adviceDocument(const std::string& title, const Outlook& outlook, const Advice& advice) {
  rapidjson::Document document;
  auto& allocator = document.GetAllocator();
  rapidjson::Value sentences(rapidjson::kArrayType);
  for (const auto& [about, sentence] : sentencesOf(outlook, advice)) {
    sentences.PushBack(manifest::ObjectWriter(allocator).add("name", about).add("text", sentence).take(),
                       allocator);
  }
  manifest::ObjectWriter fields = fieldsOf(title, outlook, advice, allocator);
  fields.add("sentences", std::move(sentences));
  if (advice.told) fields.add("toldPercent", outlook.milestones[*advice.told].reductionPercent);
  return page::toJson("advise " + title, "advice", fields.take());
}

}  // namespace slaq::cli::advise
