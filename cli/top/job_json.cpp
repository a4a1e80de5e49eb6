#include "cli/top/job_json.h"

#include "cli/output/json.h"
#include "page/job_fields.h"

namespace slaq::cli::top {
namespace {

using Allocator = rapidjson::Document::AllocatorType;

rapidjson::Value totalsOfRows(const std::vector<TopRow>& rows, Allocator& allocator) {
  const Totals totals = totalsOf(rows);
  manifest::ObjectWriter states(allocator);
  for (const auto& [state, count] : totals.jobs) states.add(name(state).data(), count);
  manifest::ObjectWriter fields(allocator);
  fields.add("jobs", static_cast<std::int64_t>(rows.size())).add("byState", states.take());
  fields.addNumber("cores", inCores(totals.held));
  fields.addNumber("price", totals.price);
  return fields.take();
}

}  // namespace

void addRow(manifest::ObjectWriter& object, const TopRow& row, Allocator& allocator) {
  const jobs::JobRow& job = row.job;
  object.add("namespace", job.key.ns).add("name", job.key.name).add("created", row.created);
  page::addWorkers(object, {row.ready, job.desired, job.most, row.workerCpu}, allocator);
  object.addNumber("cores", inCores(job.cores));
  page::addStatus(object, row.status, job.state, allocator);
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
