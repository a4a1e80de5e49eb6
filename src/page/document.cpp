#include "page/document.h"

#include <algorithm>
#include <cmath>
#include <ranges>
#include <span>

#include "page/job_fields.h"
#include "release/version.h"

namespace slaq::page {
namespace {

using Allocator = rapidjson::Document::AllocatorType;
using manifest::ObjectWriter;
using rapidjson::Value;

// Rounds to the digits that a picture can show, which needs a third of the bytes of all digits.
Value figure(double value, int digits = 5) {
  return Value(decimalFrom(toDecimal(value, digits)).value_or(value));
}
Value figure(Seconds time) { return Value(std::round(time.count() * 1000) / 1000); }

void add(ObjectWriter& object, const char* key, std::optional<Seconds> value) {
  if (value && std::isfinite(value->count())) object.add(key, figure(*value));
}

template <class All, class ToValue>
Value arrayOf(All&& all, Allocator& allocator, const ToValue& toValue) {
  Value array(rapidjson::kArrayType);
  for (const auto& each : all) array.PushBack(toValue(each), allocator);
  return array;
}

// The changes since the epoch `from`.
Value valueOf(const Steps& steps, std::size_t from, Allocator& allocator) {
  const auto first = std::ranges::lower_bound(steps.changes(), from, {}, &Steps::Change::epoch);
  const std::span changes(first, steps.changes().end());
  auto epochs = arrayOf(changes, allocator, [](const auto& each) { return Value(each.epoch); });
  auto values = arrayOf(changes, allocator, [](const auto& each) {
    return each.value ? figure(*each.value) : Value(rapidjson::kNullType);
  });
  return ObjectWriter(allocator).add("epochs", std::move(epochs)).add("values", std::move(values)).take();
}

Value valueOf(const Change& change, Allocator& allocator) {
  return ObjectWriter(allocator).add("seconds", figure(change.time)).add("text", change.text).take();
}

Value valueOf(const Outlook& outlook, Allocator& allocator) {
  ObjectWriter object(allocator);
  object.add("seconds",
             arrayOf(outlook.curve, allocator, [](const auto& each) { return figure(each.time); }));
  object.add("losses", arrayOf(outlook.curve, allocator, [](const auto& each) { return figure(each.loss); }));
  object.addNumber("error", outlook.error);
  return object.take();
}

// The status may not show the end of the last jobs: a run may be over before an epoch has seen it.
JobState stateOf(const JobStatus& status, const JobEnd* end) {
  return end && end->completion && !finished(status.state) ? JobState::Complete : status.state;
}

void addEnd(ObjectWriter& object, const JobEnd& end, Allocator& allocator) {
  Value reductions(rapidjson::kArrayType);
  for (const auto& each : end.reductions) {
    ObjectWriter reduction(allocator);
    reduction.add("percent", each.percent);
    add(reduction, "seconds", each.after);
    reductions.PushBack(reduction.take(), allocator);
  }
  object.add("reductions", std::move(reductions));
  add(object, "completionSeconds", end.completion);
}

// The time of an epoch. The first epoch covers all times before it too.
Seconds timeOf(const RunTimeline& timeline, std::size_t epoch) {
  return epoch == 0                         ? Seconds::min()
         : epoch < timeline.epochs().size() ? timeline.epochs()[epoch]
                                            : Seconds::max();
}

// A job that left before `from` has nothing new.
bool hasNews(const JobTimeline& job, std::size_t from) {
  return from == 0 || !job.isGone || job.presence.changes().back().epoch >= from;
}

// The figures of a job over time.
Value seriesOf(const JobTimeline& job, std::size_t from, Allocator& allocator) {
  ObjectWriter object(allocator);
  const std::pair<const char*, const Steps*> figures[] = {{"workers", &job.workers},
                                                          {"cores", &job.cores},
                                                          {"iterations", &job.iterations},
                                                          {"losses", &job.losses}};
  for (const auto& [name, steps] : figures) object.add(name, valueOf(*steps, from, allocator));
  return object.take();
}

// Adds the job's decisions and forecasts since the time `since`.
void addPast(ObjectWriter& object, const JobTimeline& job, Seconds since, Allocator& allocator) {
  const auto isChangeSince = [&](const Change& each) { return each.time >= since; };
  const auto isOutlookSince = [&](const Outlook& each) { return each.made >= since; };
  const auto toValue = [&](const auto& each) { return valueOf(each, allocator); };
  object.add("changes", arrayOf(job.changes | std::views::filter(isChangeSince), allocator, toValue));
  object.add("outlooks", arrayOf(job.outlooks | std::views::filter(isOutlookSince), allocator, toValue));
}

Value jobOf(const JobKey& key, const JobTimeline& job, const Run& run, std::size_t from,
            Allocator& allocator) {
  const auto found = run.ends.find(key);
  const JobEnd* end = found == run.ends.end() ? nullptr : &found->second;
  ObjectWriter object(allocator);
  object.add("namespace", key.ns).add("name", key.name).add("created", job.created);
  object.add("arrivalSeconds", figure(job.created - run.timeline.began().value_or(job.created)));
  object.add("mode", name(job.mode)).add("gone", job.isGone);
  addWorkers(object, {job.status.ready, job.status.desired, job.most, job.coresEach}, allocator);
  const auto& cores = job.cores.changes();
  object.addNumber("cores", cores.empty() ? std::nullopt : cores.back().value);
  addStatus(object, job.status, stateOf(job.status, end), allocator);
  if (!job.status.decision && !job.reason.empty()) object.add("reason", job.reason);
  object.add("series", seriesOf(job, from, allocator));
  addPast(object, job, timeOf(run.timeline, from), allocator);
  if (end) addEnd(object, *end, allocator);
  return object.take();
}

Value runOf(const Run& run, std::size_t from, Allocator& allocator) {
  ObjectWriter object(allocator);
  const RunTimeline& timeline = run.timeline;
  object.add("policy", run.policy);
  if (timeline.began()) object.add("began", *timeline.began());
  object.add("epochs", arrayOf(timeline.epochs() | std::views::drop(from), allocator,
                               [](Seconds each) { return figure(each); }));
  object.add("capacity", valueOf(timeline.capacity(), from, allocator));
  object.add("price", valueOf(timeline.price(), from, allocator));
  const auto isTold = [&](const auto& each) { return hasNews(each.second, from); };
  object.add("jobs", arrayOf(timeline.jobs() | std::views::filter(isTold), allocator, [&](const auto& each) {
               return jobOf(each.first, each.second, run, from, allocator);
             }));
  return object.take();
}

// Escapes "<", which occurs only within strings: in HTML it could begin the end of a script.
std::string withinHtml(const std::string& json) {
  std::string text;
  text.reserve(json.size());
  for (const char each : json) each == '<' ? text += "\\u003c" : text += each;
  return text;
}

}  // namespace

std::string toJson(const Document& document) {
  rapidjson::Document owner;
  auto& allocator = owner.GetAllocator();
  ObjectWriter object(allocator);
  object.add("version", release::thisBuild().version)
      .add("title", document.title)
      .add("resource", document.resource);
  object.add("over", document.isOver);
  if (!document.verdict.empty()) object.add("verdict", document.verdict);
  object.add("runs",
             arrayOf(document.runs, allocator, [&](const Run& each) { return runOf(each, 0, allocator); }));
  return withinHtml(manifest::toText(object.take()));
}

std::string toJson(const std::string& title, const std::string& view, rapidjson::Value value) {
  rapidjson::Document owner;
  ObjectWriter object(owner.GetAllocator());
  object.add("version", release::thisBuild().version).add("title", title).add(view.c_str(), std::move(value));
  return withinHtml(manifest::toText(object.take()));
}

std::string partJson(const Document& document, std::size_t from) {
  rapidjson::Document owner;
  auto& allocator = owner.GetAllocator();
  auto part = runOf(document.runs.back(), from, allocator);
  return withinHtml(manifest::toText(ObjectWriter(allocator).add("part", std::move(part)).take()));
}

}  // namespace slaq::page
