#include "cli/explain/explanation_json.h"

#include "cli/explain/explanation_facts.h"
#include "cli/output/json.h"
#include "cli/top/job_json.h"
#include "page/job_fields.h"

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
                  fields.addNumber("share", each.share);
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
                  fields.addNumber("loss", each.value);
                });
}

}  // namespace

std::string explanationJson(const JobStory& story) {
  rapidjson::Document document;
  auto& allocator = document.GetAllocator();
  const JobSpec& spec = story.job.job.spec;
  manifest::ObjectWriter fields(allocator);
  top::addRow(fields, top::topRowOf(story.job), allocator);
  fields.add("scheduling", name(spec.scheduling)).add("value", name(spec.value)).add("weight", spec.weight);
  fields.addNumber("target", spec.loss.target);
  fields.add("conditions", conditionsOf(story.job.status, allocator));
  fields.add("stops", stopsJson(story, allocator));
  fields.add("events", eventsOf(story, allocator));
  fields.add("losses", lossesOf(story, allocator));
  return output::indented(fields.take());
}

}  // namespace slaq::cli::explain
