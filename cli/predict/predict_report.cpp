#include "cli/predict/predict_report.h"

#include <cmath>

#include "cli/output/json.h"
#include "cli/terminal/grid.h"
#include "manifest/object_writer.h"
#include "page/document.h"

namespace slaq::cli::predict {
namespace {

using Allocator = rapidjson::Document::AllocatorType;
using Figure = std::optional<double> HorizonError::*;

rapidjson::Value byHorizon(const WalkResult& result, Figure figure, Allocator& allocator) {
  rapidjson::Value object(rapidjson::kObjectType);
  for (const auto& error : result.errors) {
    if (!(error.*figure) || !std::isfinite(*(error.*figure))) continue;
    rapidjson::Value horizon(std::to_string(error.horizon).c_str(), allocator);
    object.AddMember(horizon, rapidjson::Value(*(error.*figure)), allocator);
  }
  return object;
}

void addFigures(manifest::ObjectWriter& fields, const WalkResult& result, Allocator& allocator) {
  fields.add("forecasts", static_cast<std::int64_t>(result.forecasts))
      .add("relativeError", byHorizon(result, &HorizonError::ofLoss, allocator))
      .add("rangeError", byHorizon(result, &HorizonError::ofRange, allocator));
  fields.addNumber("microsecondsPerFit", result.microsecondsPerFit);
}

manifest::ObjectWriter fieldsOf(const WalkResult& result, Allocator& allocator) {
  manifest::ObjectWriter fields(allocator);
  fields.add("file", result.file);
  addFigures(fields, result, allocator);
  return fields;
}

// `fileOf` makes the value of each file.
template <class FileOf>
manifest::ObjectWriter fieldsOf(const Walk& walk, const std::vector<WalkResult>& results, FileOf fileOf,
                                Allocator& allocator) {
  rapidjson::Value files(rapidjson::kArrayType);
  for (const auto& result : results) files.PushBack(fileOf(result), allocator);
  manifest::ObjectWriter overall(allocator);
  addFigures(overall, meanOf(results), allocator);
  manifest::ObjectWriter fields(allocator);
  fields.add("predictor", walk.predictor).add("files", std::move(files)).add("overall", overall.take());
  return fields;
}

// A figure that is not finite becomes null.
template <class Numbers>
rapidjson::Value arrayOf(const Numbers& numbers, Allocator& allocator) {
  rapidjson::Value array(rapidjson::kArrayType);
  for (const auto each : numbers) {
    const auto number = static_cast<double>(each);
    array.PushBack(std::isfinite(number) ? rapidjson::Value(number) : rapidjson::Value(), allocator);
  }
  return array;
}

rapidjson::Value curvesOf(const WalkResult& result, Allocator& allocator) {
  rapidjson::Value curves(rapidjson::kArrayType);
  for (const auto& each : result.curves) {
    manifest::ObjectWriter fields(allocator);
    fields.add("horizon", static_cast<std::int64_t>(each.horizon))
        .add("iterations", arrayOf(each.iterations, allocator))
        .add("losses", arrayOf(each.losses, allocator));
    curves.PushBack(fields.take(), allocator);
  }
  return curves;
}

std::string percent(std::optional<double> share) { return share ? toDecimal(100 * *share, 3) + "%" : "-"; }

terminal::Column errorColumn(const std::string& what, std::size_t i, Figure figure,
                             const std::vector<WalkResult>& rows) {
  terminal::Column column{.heading = what + " +" + std::to_string(rows.front().errors[i].horizon),
                          .align = terminal::Align::Right};
  for (const auto& row : rows) column.cells.push_back({percent(row.errors[i].*figure)});
  return column;
}

}  // namespace

std::string predictionJson(const Walk& walk, const std::vector<WalkResult>& results) {
  rapidjson::Document document;
  auto& allocator = document.GetAllocator();
  const auto fileOf = [&](const auto& each) { return fieldsOf(each, allocator).take(); };
  return output::indented(fieldsOf(walk, results, fileOf, allocator).take());
}

std::string predictionDocument(const Walk& walk, const std::vector<WalkResult>& results) {
  rapidjson::Document document;
  auto& allocator = document.GetAllocator();
  const auto fileOf = [&](const auto& each) {
    manifest::ObjectWriter fields = fieldsOf(each, allocator);
    fields.add("losses", arrayOf(each.losses, allocator)).add("curves", curvesOf(each, allocator));
    fields.addNumber("range", each.range);
    return fields.take();
  };
  manifest::ObjectWriter fields = fieldsOf(walk, results, fileOf, allocator);
  fields.add("horizons", arrayOf(walk.horizons, allocator));
  return page::toJson("predict", "prediction", fields.take());
}

std::string predictionTable(const Walk& walk, const std::vector<WalkResult>& results) {
  std::vector<WalkResult> rows = results;
  rows.push_back(meanOf(results));
  terminal::Column file{.heading = "FILE"};
  terminal::Column forecasts{.heading = "FORECASTS", .align = terminal::Align::Right};
  terminal::Column fit{.heading = "US/FIT", .align = terminal::Align::Right};
  for (const auto& row : rows) {
    file.cells.push_back({row.file});
    forecasts.cells.push_back({std::to_string(row.forecasts)});
    fit.cells.push_back({row.microsecondsPerFit ? toDecimal(*row.microsecondsPerFit, 3) : "-"});
  }
  std::vector<terminal::Column> columns = {std::move(file), std::move(forecasts)};
  for (std::size_t i = 0; i < walk.horizons.size(); ++i)
    columns.push_back(errorColumn("LOSS", i, &HorizonError::ofLoss, rows));
  for (std::size_t i = 0; i < walk.horizons.size(); ++i)
    columns.push_back(errorColumn("RANGE", i, &HorizonError::ofRange, rows));
  if (walk.timed) columns.push_back(std::move(fit));
  return terminal::joined(
      terminal::gridLines(std::move(columns), {.columns = 10000, .lines = 0, .style = {}}));
}

}  // namespace slaq::cli::predict
