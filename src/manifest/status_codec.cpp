#include "manifest/status_codec.h"

#include <algorithm>
#include <cmath>

#include "manifest/object_reader.h"
#include "manifest/object_writer.h"

namespace slaq::manifest {
namespace {

using Allocator = ObjectWriter::Allocator;

constexpr int kCostDigits = 3;

std::optional<double> readDecimal(ObjectReader& object, std::string_view key) {
  std::string text;
  object.read(key, text);
  return decimalFrom(text);
}

std::optional<Time> readTime(ObjectReader& object, std::string_view key) {
  if (!object.find(key)) return std::nullopt;
  std::optional<Time> time;
  Time read = Time::min();
  object.read(key, read);
  if (read != Time::min()) time = read;
  return time;
}

void readCondition(ObjectReader& object, std::vector<Condition>& into) {
  Condition read;
  std::string type;
  std::string status;
  object.read("type", type);
  object.read("status", status);
  object.read("reason", read.reason);
  object.read("message", read.message);
  object.read("lastTransitionTime", read.lastTransition);
  object.read("observedGeneration", read.observedGeneration);
  const auto known = conditionTypeFrom(type);
  if (!known) return;
  read.type = *known;
  read.status = truthFrom(status).value_or(Truth::Unknown);
  set(into, std::move(read));
}

Milestone readMilestone(ObjectReader& object) {
  std::int64_t iterations = 0;
  Milestone out;
  object.read("reductionPercent", out.reductionPercent);
  object.read("iterations", iterations);
  out.left = Iterations(static_cast<double>(iterations));
  return out;
}

SizeSpeed readSpeed(ObjectReader& object) {
  SizeSpeed out;
  object.read("workers", out.workers);
  object.read("measured", out.measured);
  out.iteration = Seconds(readDecimal(object, "secondsPerIteration").value_or(0));
  return out;
}

std::optional<Seconds> readSeconds(ObjectReader& object, std::string_view key) {
  const auto seconds = readDecimal(object, key);
  return seconds ? std::optional(Seconds(*seconds)) : std::nullopt;
}

ResizeCost readResizeCost(ObjectReader& object) {
  return {.grow = readSeconds(object, "growSeconds"),
          .shrink = readSeconds(object, "shrinkSeconds"),
          .lost = readSeconds(object, "lostSeconds")};
}

KindStatus readKind(ObjectReader& object) {
  KindStatus out;
  object.read("name", out.name);
  object.read("trainings", out.trainings);
  return out;
}

Progress readProgress(ObjectReader& object) {
  Progress out;
  std::int64_t iteration = 0;
  std::int64_t remaining = -1;
  object.read("iteration", iteration);
  object.read("estimatedRemainingSeconds", remaining);
  object.read("convergence", out.convergence);
  out.iteration = Iterations(static_cast<double>(iteration));
  out.loss = Loss(readDecimal(object, "loss").value_or(0));
  if (const auto final = readDecimal(object, "forecastFinalLoss")) out.forecastFinal = Loss(*final);
  out.level = readDecimal(object, "level");
  object.readObjects("iterationsTo",
                     [&](ObjectReader& each) { out.milestones.push_back(readMilestone(each)); });
  if (remaining >= 0) out.remaining = Seconds(static_cast<double>(remaining));
  return out;
}

Decision readDecision(ObjectReader& object) {
  Decision out;
  std::string cores;
  object.read("workers", out.workers);
  object.read("cores", cores);
  out.cores = parseCores(cores).value_or(Cores());
  out.predictedReduction = readDecimal(object, "predictedReduction").value_or(0);
  out.gainPerCore = readDecimal(object, "gainPerCore").value_or(0);
  out.price = readDecimal(object, "price");
  if (const auto loss = readDecimal(object, "forecastLoss")) out.forecast = Loss(*loss);
  std::string workerCpu;
  object.read("workerCpu", workerCpu);
  if (!workerCpu.empty()) out.workerCpu = parseCores(workerCpu).value_or(Cores());
  object.read("reason", out.reason);
  object.read("since", out.since);
  return out;
}

std::int64_t rounded(double value) {
  constexpr double kMost = 9e15;  // exact in a double, and a valid JSON integer everywhere
  return std::isfinite(value) ? static_cast<std::int64_t>(std::clamp(std::round(value), 0.0, kMost)) : 0;
}

rapidjson::Value write(const std::vector<Condition>& conditions, Allocator& allocator) {
  rapidjson::Value out(rapidjson::kArrayType);
  for (const auto& condition : conditions) {
    ObjectWriter fields(allocator);
    fields.add("type", name(condition.type));
    fields.add("status", name(condition.status));
    fields.add("reason", condition.reason);
    fields.add("message", condition.message);
    fields.add("lastTransitionTime", condition.lastTransition);
    fields.add("observedGeneration", condition.observedGeneration);
    out.PushBack(fields.take(), allocator);
  }
  return out;
}

rapidjson::Value write(const std::vector<Milestone>& milestones, Allocator& allocator) {
  rapidjson::Value out(rapidjson::kArrayType);
  for (const auto& each : milestones) {
    ObjectWriter fields(allocator);
    fields.add("reductionPercent", each.reductionPercent).add("iterations", rounded(each.left.value()));
    out.PushBack(fields.take(), allocator);
  }
  return out;
}

rapidjson::Value write(const std::vector<SizeSpeed>& speeds, Allocator& allocator) {
  rapidjson::Value out(rapidjson::kArrayType);
  for (const auto& each : speeds) {
    ObjectWriter fields(allocator);
    fields.add("workers", each.workers).add("secondsPerIteration", each.iteration.count());
    fields.add("measured", each.measured);
    out.PushBack(fields.take(), allocator);
  }
  return out;
}

rapidjson::Value write(const ResizeCost& cost, Allocator& allocator) {
  ObjectWriter fields(allocator);
  if (cost.grow) fields.add("growSeconds", toDecimal(cost.grow->count(), kCostDigits));
  if (cost.shrink) fields.add("shrinkSeconds", toDecimal(cost.shrink->count(), kCostDigits));
  if (cost.lost) fields.add("lostSeconds", toDecimal(cost.lost->count(), kCostDigits));
  return fields.take();
}

rapidjson::Value write(const KindStatus& kind, Allocator& allocator) {
  return ObjectWriter(allocator).add("name", kind.name).add("trainings", kind.trainings).take();
}

rapidjson::Value write(const Progress& progress, Allocator& allocator) {
  ObjectWriter fields(allocator);
  fields.add("iteration", rounded(progress.iteration.value()));
  fields.add("loss", progress.loss.value());
  if (progress.forecastFinal) fields.add("forecastFinalLoss", progress.forecastFinal->value());
  if (progress.level) {
    fields.add("level", *progress.level);
    fields.add("progressPercentage", std::min<std::int64_t>(100, rounded(100 * (1 - *progress.level))));
  }
  if (progress.remaining) fields.add("estimatedRemainingSeconds", rounded(progress.remaining->count()));
  if (!progress.convergence.empty()) fields.add("convergence", progress.convergence);
  if (!progress.milestones.empty()) fields.add("iterationsTo", write(progress.milestones, allocator));
  return fields.take();
}

rapidjson::Value write(const Decision& decision, Allocator& allocator) {
  ObjectWriter fields(allocator);
  fields.add("workers", decision.workers);
  fields.add("cores", toString(decision.cores));
  fields.add("predictedReduction", decision.predictedReduction);
  fields.add("gainPerCore", decision.gainPerCore);
  if (decision.price) fields.add("price", *decision.price);
  if (decision.forecast) fields.add("forecastLoss", decision.forecast->value());
  if (decision.workerCpu) fields.add("workerCpu", toString(*decision.workerCpu));
  fields.add("reason", decision.reason);
  fields.add("since", decision.since);
  return fields.take();
}

}  // namespace

JobStatus readStatus(const rapidjson::Value& object) {
  Violations ignored;  // slaq itself writes the status, and will replace malformed fields
  ObjectReader status(object, "status", ignored);
  JobStatus out;
  std::string state;
  status.read("state", state);
  out.state = jobStateFrom(state).value_or(JobState::Pending);
  status.readObjects("conditions", [&](ObjectReader& each) { readCondition(each, out.conditions); });
  status.read("observedGeneration", out.observedGeneration);
  out.started = readTime(status, "startTime");
  out.completed = readTime(status, "completionTime");
  status.read("replicas", out.replicas);
  status.read("readyReplicas", out.ready);
  status.read("desiredReplicas", out.desired);
  status.readObject("progress", [&](ObjectReader& progress) { out.progress = readProgress(progress); });
  status.readObjects("speeds", [&](ObjectReader& each) { out.speeds.push_back(readSpeed(each)); });
  status.readObject("resizeCost", [&](ObjectReader& cost) { out.resizeCost = readResizeCost(cost); });
  status.readObject("kind", [&](ObjectReader& kind) { out.kind = readKind(kind); });
  status.readObject("decision", [&](ObjectReader& decision) { out.decision = readDecision(decision); });
  return out;
}

rapidjson::Value writeStatus(const JobStatus& status, Allocator& allocator) {
  ObjectWriter fields(allocator);
  fields.add("state", name(status.state));
  fields.add("conditions", write(status.conditions, allocator));
  fields.add("observedGeneration", status.observedGeneration);
  if (status.started) fields.add("startTime", *status.started);
  if (status.completed) fields.add("completionTime", *status.completed);
  fields.add("replicas", status.replicas);
  fields.add("readyReplicas", status.ready);
  fields.add("desiredReplicas", status.desired);
  if (status.progress) fields.add("progress", write(*status.progress, allocator));
  if (!status.speeds.empty()) fields.add("speeds", write(status.speeds, allocator));
  if (status.resizeCost) fields.add("resizeCost", write(*status.resizeCost, allocator));
  if (status.kind) fields.add("kind", write(*status.kind, allocator));
  if (status.decision) fields.add("decision", write(*status.decision, allocator));
  return fields.take();
}

}  // namespace slaq::manifest
