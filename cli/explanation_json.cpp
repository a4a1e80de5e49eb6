#include <tuple>

#include "cli/explanation.h"
#include "cli/job_json.h"

namespace slaq {
namespace {

using Allocator = rapidjson::Document::AllocatorType;

rapidjson::Value listOf(const auto& items, Allocator& allocator, auto write) {
  rapidjson::Value out(rapidjson::kArrayType);
  for (const auto& item : items) {
    ObjectWriter fields(allocator);
    write(fields, item);
    out.PushBack(fields.take(), allocator);
  }
  return out;
}

rapidjson::Value conditionsOf(const JobStatus& status, Allocator& allocator) {
  return listOf(status.conditions, allocator, [](ObjectWriter& fields, const Condition& each) {
    fields.add("type", name(each.type)).add("status", name(each.status)).add("reason", each.reason);
    fields.add("message", each.message).add("since", each.lastTransition);
  });
}

rapidjson::Value stopsJson(const JobStory& story, Allocator& allocator) {
  return listOf(stopsOf(story.job, story.now), allocator, [](ObjectWriter& fields, const StopProgress& each) {
    fields.add("rule", each.rule);
    addNumber(fields, "share", each.share);
  });
}

rapidjson::Value eventsOf(const JobStory& story, Allocator& allocator) {
  return listOf(story.events, allocator, [](ObjectWriter& fields, const JobEvent& each) {
    fields.add("last", each.last).add("count", each.count).add("type", each.warning ? "Warning" : "Normal");
    fields.add("reason", each.reason).add("message", each.message);
  });
}

rapidjson::Value lossesOf(const JobStory& story, Allocator& allocator) {
  return listOf(story.losses, allocator, [](ObjectWriter& fields, const CurvePoint& each) {
    fields.add("time", each.time);
    addNumber(fields, "loss", each.value);
  });
}

void addForecast(ObjectWriter& fields, const JobStatus& status) {
  const auto& [progress, decision] = std::tie(status.progress, status.decision);
  if (progress && progress->forecastFinal)
    addNumber(fields, "forecastFinalLoss", progress->forecastFinal->value());
  if (decision && decision->forecast) addNumber(fields, "forecastLoss", decision->forecast->value());
  if (decision) fields.add("decidedSince", decision->since);
  if (status.started) fields.add("started", *status.started);
  if (status.completed) fields.add("completed", *status.completed);
}

}  // namespace

std::string explanationJson(const JobStory& story) {
  rapidjson::Document document;
  auto& allocator = document.GetAllocator();
  const JobSpec& spec = story.job.job.spec;
  ObjectWriter fields(allocator);
  addRow(fields, topRowOf(story.job), allocator);
  fields.add("scheduling", name(spec.scheduling)).add("weight", spec.weight);
  addNumber(fields, "target", spec.loss.target);
  addForecast(fields, story.job.status);
  fields.add("conditions", conditionsOf(story.job.status, allocator));
  fields.add("stops", stopsJson(story, allocator));
  fields.add("events", eventsOf(story, allocator));
  fields.add("losses", lossesOf(story, allocator));
  return indented(fields.take());
}

}  // namespace slaq
