#include "cli/explain/explanation_json.h"

#include <tuple>

#include "cli/explain/explanation_facts.h"
#include "cli/output/json.h"
#include "cli/top/job_json.h"

namespace slaq::cli::explain {
namespace {

using Allocator = rapidjson::Document::AllocatorType;

rapidjson::Value listOf(const auto& items, Allocator& allocator, auto write) {
  rapidjson::Value out(rapidjson::kArrayType);
  for (const auto& item : items) {
    manifest::ObjectWriter fields(allocator);
    write(fields, item);
    out.PushBack(fields.take(), allocator);
  }
  return out;
}

rapidjson::Value conditionsOf(const JobStatus& status, Allocator& allocator) {
  return listOf(status.conditions, allocator, [](manifest::ObjectWriter& fields, const Condition& each) {
    fields.add("type", name(each.type)).add("status", name(each.status)).add("reason", each.reason);
    fields.add("message", each.message).add("since", each.lastTransition);
  });
}

rapidjson::Value stopsJson(const JobStory& story, Allocator& allocator) {
  return listOf(stopsOf(story.job, story.now), allocator,
                [](manifest::ObjectWriter& fields, const StopProgress& each) {
                  fields.add("rule", each.rule);
                  output::addNumber(fields, "share", each.share);
                });
}

rapidjson::Value eventsOf(const JobStory& story, Allocator& allocator) {
  return listOf(story.events, allocator, [](manifest::ObjectWriter& fields, const cluster::JobEvent& each) {
    fields.add("last", each.last).add("count", each.count).add("type", each.warning ? "Warning" : "Normal");
    fields.add("reason", each.reason).add("message", each.message);
  });
}

rapidjson::Value lossesOf(const JobStory& story, Allocator& allocator) {
  return listOf(story.losses, allocator,
                [](manifest::ObjectWriter& fields, const terminal::CurvePoint& each) {
                  fields.add("time", each.time);
                  output::addNumber(fields, "loss", each.value);
                });
}

void addForecast(manifest::ObjectWriter& fields, const JobStatus& status) {
  const auto& [progress, decision] = std::tie(status.progress, status.decision);
  if (progress && progress->forecastFinal)
    output::addNumber(fields, "forecastFinalLoss", progress->forecastFinal->value());
  if (decision && decision->forecast) output::addNumber(fields, "forecastLoss", decision->forecast->value());
  if (decision) fields.add("decidedSince", decision->since);
  if (status.started) fields.add("started", *status.started);
  if (status.completed) fields.add("completed", *status.completed);
}

void addKnowledge(manifest::ObjectWriter& fields, const JobStatus& status, Allocator& allocator) {
  if (status.kind) {
    manifest::ObjectWriter kind(allocator);
    fields.add("kind", kind.add("name", status.kind->name).add("trainings", status.kind->trainings).take());
  }
  if (!status.resizeCost) return;
  manifest::ObjectWriter cost(allocator);
  const auto add = [&](const char* key, const std::optional<Seconds>& time) {
    if (time) output::addNumber(cost, key, time->count());
  };
  add("growSeconds", status.resizeCost->grow);
  add("shrinkSeconds", status.resizeCost->shrink);
  add("lostSeconds", status.resizeCost->lost);
  fields.add("resizeCost", cost.take());
}

}  // namespace

std::string explanationJson(const JobStory& story) {
  rapidjson::Document document;
  auto& allocator = document.GetAllocator();
  const JobSpec& spec = story.job.job.spec;
  manifest::ObjectWriter fields(allocator);
  top::addRow(fields, top::topRowOf(story.job), allocator);
  fields.add("scheduling", name(spec.scheduling)).add("value", name(spec.value)).add("weight", spec.weight);
  output::addNumber(fields, "target", spec.loss.target);
  addForecast(fields, story.job.status);
  addKnowledge(fields, story.job.status, allocator);
  fields.add("conditions", conditionsOf(story.job.status, allocator));
  fields.add("stops", stopsJson(story, allocator));
  fields.add("events", eventsOf(story, allocator));
  fields.add("losses", lossesOf(story, allocator));
  return output::indented(fields.take());
}

}  // namespace slaq::cli::explain
