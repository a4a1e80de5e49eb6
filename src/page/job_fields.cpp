#include "page/job_fields.h"

#include <algorithm>

namespace slaq::page {
namespace {

using Allocator = rapidjson::Document::AllocatorType;
using manifest::ObjectWriter;
using rapidjson::Value;

std::optional<double> numberOf(const std::optional<Loss>& loss) {
  return loss ? std::optional(loss->value()) : std::nullopt;
}

std::optional<double> numberOf(const std::optional<Seconds>& time) {
  return time ? std::optional(time->count()) : std::nullopt;
}

Value speedsOf(const JobStatus& status, Allocator& allocator) {
  Value speeds(rapidjson::kArrayType);
  for (const SizeSpeed& each : status.speeds) {
    ObjectWriter speed(allocator);
    speed.add("workers", each.workers).add("measured", each.measured);
    speed.addNumber("secondsPerIteration", each.iteration.count());
    speeds.PushBack(speed.take(), allocator);
  }
  return speeds;
}

Value costOf(const ResizeCost& cost, Allocator& allocator) {
  ObjectWriter object(allocator);
  object.addNumber("growSeconds", numberOf(cost.grow));
  object.addNumber("shrinkSeconds", numberOf(cost.shrink));
  object.addNumber("lostSeconds", numberOf(cost.lost));
  return object.take();
}

Value milestonesOf(const Progress& progress, Allocator& allocator) {
  Value milestones(rapidjson::kArrayType);
  for (const Milestone& each : progress.milestones) {
    ObjectWriter milestone(allocator);
    milestone.add("percent", each.reductionPercent);
    milestone.addNumber("iterationsLeft", each.left.value());
    milestones.PushBack(milestone.take(), allocator);
  }
  return milestones;
}

void addProgress(ObjectWriter& object, const Progress& progress, JobState state, Allocator& allocator) {
  object.addNumber("iteration", progress.iteration.value());
  object.addNumber("loss", progress.loss.value());
  const bool isDone = state == JobState::Complete;
  if (progress.level) object.addNumber("progress", isDone ? 1 : std::clamp(1 - *progress.level, 0.0, 1.0));
  if (!finished(state)) {
    object.addNumber("remainingSeconds", numberOf(progress.remaining));
    if (!progress.milestones.empty()) object.add("milestones", milestonesOf(progress, allocator));
  }
  object.addNumber("forecastFinalLoss", numberOf(progress.forecastFinal));
  if (!progress.convergence.empty()) object.add("convergence", progress.convergence);
}

void addDecision(ObjectWriter& object, const Decision& decision) {
  object.addNumber("gainPerCore", decision.gainPerCore);
  object.addNumber("price", decision.price);
  object.addNumber("forecastLoss", numberOf(decision.forecast));
  object.add("reason", decision.reason).add("decidedSince", decision.since);
}

}  // namespace

void addWorkers(ObjectWriter& object, const WorkersNow& workers, Allocator& allocator) {
  ObjectWriter fields(allocator);
  fields.add("ready", workers.ready).add("desired", workers.desired).add("max", workers.most);
  if (workers.coresEach) fields.addNumber("coresEach", inCores(*workers.coresEach));
  object.add("workers", fields.take());
}

void addStatus(ObjectWriter& object, const JobStatus& status, JobState state, Allocator& allocator) {
  object.add("state", name(state));
  if (status.started) object.add("started", *status.started);
  if (status.completed) object.add("completed", *status.completed);
  if (status.progress) addProgress(object, *status.progress, state, allocator);
  if (status.decision) addDecision(object, *status.decision);
  if (!status.speeds.empty()) object.add("speeds", speedsOf(status, allocator));
  if (status.resizeCost) object.add("resizeCost", costOf(*status.resizeCost, allocator));
  if (!status.kind) return;
  ObjectWriter kind(allocator);
  kind.add("name", status.kind->name).add("trainings", status.kind->trainings);
  object.add("kind", kind.take());
}

}  // namespace slaq::page
