#include "cli/top/job_json.h"

#include <optional>

#include "cli/output/json.h"

namespace slaq::cli::top {
namespace {

using Allocator = rapidjson::Document::AllocatorType;

std::optional<double> numberOf(const auto& quantity) {
  return quantity ? std::optional(quantity->value()) : std::nullopt;
}

rapidjson::Value workersOf(const TopRow& row, Allocator& allocator) {
  manifest::ObjectWriter fields(allocator);
  fields.add("ready", row.ready).add("desired", row.job.desired).add("max", row.job.most);
  if (row.workerCpu) output::addNumber(fields, "coresEach", inCores(*row.workerCpu));
  return fields.take();
}

rapidjson::Value totalsOfRows(const std::vector<TopRow>& rows, Allocator& allocator) {
  const Totals totals = totalsOf(rows);
  manifest::ObjectWriter states(allocator);
  for (const auto& [state, count] : totals.jobs) states.add(name(state).data(), count);
  manifest::ObjectWriter fields(allocator);
  fields.add("jobs", static_cast<std::int64_t>(rows.size())).add("byState", states.take());
  output::addNumber(fields, "cores", inCores(totals.held));
  output::addNumber(fields, "price", totals.price);
  return fields.take();
}

}  // namespace

void addRow(manifest::ObjectWriter& object, const TopRow& row, Allocator& allocator) {
  const jobs::JobRow& job = row.job;
  object.add("namespace", job.key.ns).add("name", job.key.name).add("state", name(job.state));
  object.add("created", row.created).add("workers", workersOf(row, allocator));
  output::addNumber(object, "cores", inCores(job.cores));
  output::addNumber(object, "iteration", numberOf(job.iteration));
  output::addNumber(object, "loss", numberOf(job.loss));
  output::addNumber(object, "progress", job.reduced);
  output::addNumber(object, "gainPerCore", row.gainPerCore);
  output::addNumber(object, "price", row.price);
  output::addNumber(object, "remainingSeconds",
                    row.remaining ? std::optional(row.remaining->count()) : std::nullopt);
  object.add("reason", job.reason);
}

std::string topJson(const std::vector<TopRow>& rows) {
  rapidjson::Document document;
  auto& allocator = document.GetAllocator();
  rapidjson::Value jobs(rapidjson::kArrayType);
  for (const auto& row : rows) {
    manifest::ObjectWriter fields(allocator);
    addRow(fields, row, allocator);
    jobs.PushBack(fields.take(), allocator);
  }
  return output::indented(manifest::ObjectWriter(allocator)
                              .add("jobs", std::move(jobs))
                              .add("totals", totalsOfRows(rows, allocator))
                              .take());
}

}  // namespace slaq::cli::top
