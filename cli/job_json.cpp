#include "cli/job_json.h"

#include <rapidjson/prettywriter.h>
#include <rapidjson/stringbuffer.h>

#include <cmath>

namespace slaq {
namespace {

using Allocator = rapidjson::Document::AllocatorType;

std::optional<double> numberOf(const auto& quantity) {
  return quantity ? std::optional(quantity->value()) : std::nullopt;
}

rapidjson::Value workersOf(const TopRow& row, Allocator& allocator) {
  ObjectWriter fields(allocator);
  fields.add("ready", row.ready).add("desired", row.job.desired).add("max", row.job.most);
  if (row.workerCpu) addNumber(fields, "coresEach", inCores(*row.workerCpu));
  return fields.take();
}

rapidjson::Value totalsOfRows(const std::vector<TopRow>& rows, Allocator& allocator) {
  const Totals totals = totalsOf(rows);
  ObjectWriter states(allocator);
  for (const auto& [state, count] : totals.jobs) states.add(name(state).data(), count);
  ObjectWriter fields(allocator);
  fields.add("jobs", static_cast<std::int64_t>(rows.size())).add("byState", states.take());
  addNumber(fields, "cores", inCores(totals.held));
  addNumber(fields, "price", totals.price);
  return fields.take();
}

}  // namespace

void addNumber(ObjectWriter& object, const char* key, std::optional<double> value) {
  if (value && std::isfinite(*value)) object.add(key, rapidjson::Value(*value));
}

void addRow(ObjectWriter& object, const TopRow& row, Allocator& allocator) {
  const JobRow& job = row.job;
  object.add("namespace", job.key.ns).add("name", job.key.name).add("state", name(job.state));
  object.add("created", row.created).add("workers", workersOf(row, allocator));
  addNumber(object, "cores", inCores(job.cores));
  addNumber(object, "iteration", numberOf(job.iteration));
  addNumber(object, "loss", numberOf(job.loss));
  addNumber(object, "progress", job.reduced);
  addNumber(object, "gainPerCore", row.gainPerCore);
  addNumber(object, "price", row.price);
  addNumber(object, "remainingSeconds", row.remaining ? std::optional(row.remaining->count()) : std::nullopt);
  object.add("reason", job.reason);
}

std::string topJson(const std::vector<TopRow>& rows) {
  rapidjson::Document document;
  auto& allocator = document.GetAllocator();
  rapidjson::Value jobs(rapidjson::kArrayType);
  for (const auto& row : rows) {
    ObjectWriter fields(allocator);
    addRow(fields, row, allocator);
    jobs.PushBack(fields.take(), allocator);
  }
  return indented(ObjectWriter(allocator)
                      .add("jobs", std::move(jobs))
                      .add("totals", totalsOfRows(rows, allocator))
                      .take());
}

std::string indented(const rapidjson::Value& value) {
  rapidjson::StringBuffer buffer;
  rapidjson::PrettyWriter<rapidjson::StringBuffer> writer(buffer);
  writer.SetIndent(' ', 2);
  value.Accept(writer);
  return std::string(buffer.GetString(), buffer.GetSize()) + "\n";
}

}  // namespace slaq
