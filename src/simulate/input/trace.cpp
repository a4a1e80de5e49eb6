#include "simulate/input/trace.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "base/text.h"
#include "base/text_file.h"
#include "simulate/input/csv_table.h"

namespace slaq::simulate {
namespace {

// With larger losses their sums and differences may not be finite.
constexpr double kLargestLoss = 1e100;
// A trace has an entry for each iteration.
constexpr double kMostIterations = 1e7;

using Names = std::vector<std::string>;

std::string listOf(const Names& names) {
  std::string text;
  for (const auto& name : names) text += (text.empty() ? "" : ", ") + printable(name);
  return text;
}

std::optional<std::size_t> columnOf(const CsvTable& table, const std::string& name) {
  const auto found = std::ranges::find_if(
      table.header, [&](const auto& each) { return lowerCase(each) == lowerCase(name); });
  if (found == table.header.end()) return std::nullopt;
  return static_cast<std::size_t>(found - table.header.begin());
}

std::optional<std::size_t> firstOf(const CsvTable& table, const Names& names) {
  for (const auto& name : names) {
    if (const auto column = columnOf(table, name)) return column;
  }
  return std::nullopt;
}

// Returns the only column with "loss" in its name. Weights & Biases adds columns with each column's bounds.
std::optional<std::size_t> onlyLoss(const CsvTable& table) {
  std::optional<std::size_t> only;
  for (std::size_t i = 0; i < table.header.size(); ++i) {
    const std::string name = lowerCase(table.header[i]);
    if (name.find("loss") == std::string::npos || name.ends_with("__min") || name.ends_with("__max"))
      continue;
    if (only) return std::nullopt;
    only = i;
  }
  return only;
}

std::optional<std::size_t> lossColumn(const CsvTable& table) {
  if (const auto column = columnOf(table, "loss")) return column;
  if (const auto column = onlyLoss(table)) return column;
  return columnOf(table, "value");
}

Error errorAt(const std::string& file, std::size_t line, const std::string& what) {
  return {ErrorKind::Invalid, file + ":" + std::to_string(line) + ": " + what};
}

Error missing(const std::string& file, const CsvTable& table, const std::string& what,
              const std::string& flag) {
  return errorAt(file, 1,
                 "has no column for " + what + "; " + flag + " names one of " + listOf(table.header));
}

// The rows of one job, under one policy.
Result<std::vector<const CsvTable::Row*>> rowsOf(const std::string& file, const CsvTable& table,
                                                 const std::string& job) {
  const auto jobs = columnOf(table, "job");
  const auto policies = columnOf(table, "policy");
  std::set<std::string> names;
  std::vector<const CsvTable::Row*> rows;
  for (const auto& row : table.rows) {
    if (policies && row.fields[*policies] != table.rows.front().fields[*policies]) continue;
    if (jobs) names.insert(row.fields[*jobs]);
    const bool isMeant =
        !jobs || job.empty() || row.fields[*jobs] == job || row.fields[*jobs].ends_with("/" + job);
    if (isMeant) rows.push_back(&row);
  }
  const std::string list = listOf({names.begin(), names.end()});
  if (job.empty() && names.size() > 1)
    return failure(ErrorKind::Invalid, file + ": has several jobs; --job names one of " + list);
  if (rows.empty() && !job.empty())
    return failure(ErrorKind::Invalid, file + ": has no job " + printable(job) + "; there is " + list);
  return rows;
}

// Adds the loss at this iteration, counted from the first row, and interpolates the losses before it.
void extend(std::vector<double>& losses, std::size_t iteration, double loss) {
  if (losses.empty()) {
    losses.push_back(loss);
    return;
  }
  if (iteration + 1 == losses.size()) {
    losses.back() = loss;
    return;
  }
  const std::size_t last = losses.size() - 1;
  const double before = losses.back();
  for (std::size_t i = last + 1; i <= iteration; ++i) {
    const double part = static_cast<double>(i - last) / static_cast<double>(iteration - last);
    losses.push_back(i == iteration ? loss : before + part * (loss - before));
  }
}

}  // namespace

Result<Trace> readTrace(const std::string& file, std::string_view text, const TraceColumns& columns) {
  const auto table = readCsvTable(file, text);
  if (!table) return failure(table.error());
  const auto iterations = columns.iteration.empty()
                              ? firstOf(*table, {"iteration", "step", "global_step", "epoch", "round"})
                              : columnOf(*table, columns.iteration);
  const auto losses = columns.loss.empty() ? lossColumn(*table) : columnOf(*table, columns.loss);
  if (!iterations) return failure(missing(file, *table, "the iterations", "--iteration"));
  if (!losses) return failure(missing(file, *table, "the loss", "--loss"));
  const auto rows = rowsOf(file, *table, columns.job);
  if (!rows) return failure(rows.error());
  Trace trace;
  std::optional<double> first, before;
  for (const auto* row : *rows) {
    const auto iteration = numberFrom<double>(row->fields[*iterations]);
    const auto loss = numberFrom<double>(row->fields[*losses]);
    if (!iteration || !loss || *iteration < 0 || *iteration != std::floor(*iteration))
      return failure(errorAt(file, row->line, "must have an iteration and a loss, as in 12 and 0.25"));
    if (!(std::abs(*loss) <= kLargestLoss))
      return failure(errorAt(file, row->line, "the loss must be a finite number, from -1e100 to 1e100"));
    if (before && *iteration < *before)
      return failure(errorAt(file, row->line, "the iteration must be no less than that of the line before"));
    if (!first) first = iteration;
    before = iteration;
    if (*iteration - *first > kMostIterations)
      return failure(errorAt(file, row->line, "must be one of the first 10000000 iterations"));
    extend(trace.losses, static_cast<std::size_t>(*iteration - *first), *loss);
  }
  if (trace.losses.size() < 2) return failure(ErrorKind::Invalid, file + ": has no two iterations");
  return trace;
}

Result<std::vector<std::string>> jobsIn(const std::string& file, std::string_view text) {
  const auto table = readCsvTable(file, text);
  if (!table) return failure(table.error());
  std::vector<std::string> jobs;
  const auto column = columnOf(*table, "job");
  for (const auto& row : table->rows) {
    if (column && std::ranges::find(jobs, row.fields[*column]) == jobs.end())
      jobs.push_back(row.fields[*column]);
  }
  if (!column) jobs.emplace_back();
  return jobs;
}

Trace oriented(LossMode mode, Trace trace) {
  for (double& loss : trace.losses) loss = oriented(mode, Loss(loss)).value();
  return trace;
}

Result<Trace> loadTrace(const std::string& file, const TraceColumns& columns) {
  const auto text = readRegularTextFile(file);
  if (!text) return failure(text.error());
  return readTrace(file, *text, columns);
}

}  // namespace slaq::simulate
