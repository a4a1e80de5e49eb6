#include "loop/status/events.h"

#include "loop/status/conditions.h"

namespace slaq::loop {
namespace {

// The condition, if it has this reason now and did not have it before.
const Condition* newReason(const JobStatus& written, const JobStatus& next, ConditionType type,
                           std::string_view reason) {
  const auto* before = find(written.conditions, type);
  const auto* after = find(next.conditions, type);
  return after && after->reason == reason && !(before && before->reason == reason) ? after : nullptr;
}

// The event for a new state.
std::optional<Event> eventOf(const JobStatus& next) {
  switch (next.state) {
    case JobState::Running:
      return Event{false, "Running", "the first workers are ready"};
    case JobState::Waiting:
      return Event{false, "Waiting", next.decision ? next.decision->reason : ""};
    case JobState::Suspended:
      return Event{false, "Suspended", find(next.conditions, ConditionType::Suspended)->message};
    case JobState::Complete:
      return Event{false, "Complete", find(next.conditions, ConditionType::Complete)->message};
    case JobState::Failed:
      return Event{true, "Failed", find(next.conditions, ConditionType::Failed)->message};
    case JobState::Pending:
      break;
  }
  return std::nullopt;
}

}  // namespace

std::vector<Event> eventsBetween(const JobStatus& written, const JobStatus& next) {
  std::vector<Event> events;
  if (written.state != next.state) {
    if (auto event = eventOf(next)) events.push_back(std::move(*event));
  }
  const auto* before = find(written.conditions, ConditionType::MetricsAvailable);
  const auto* after = find(next.conditions, ConditionType::MetricsAvailable);
  // The event of a failure says what to mend. That no loss was read follows from it.
  const bool lost = after && after->status == Truth::False && (!before || before->status != Truth::False) &&
                    next.state != JobState::Failed;
  if (lost) events.push_back({true, "MetricsUnavailable", after->message});
  if (const auto* chosen = newReason(written, next, ConditionType::MetricsAvailable, kSeveralSeries)) {
    events.push_back({true, kSeveralSeries, chosen->message});
  }
  if (const auto* reached = newReason(written, next, ConditionType::ModelFitted, kTargetReached)) {
    events.push_back({false, kTargetReached, reached->message});
  }
  if (const auto* blocked = newReason(written, next, ConditionType::Ready, kCannotStart))
    events.push_back({true, kCannotStart, blocked->message});
  if (const auto* rose = newReason(written, next, ConditionType::ModelFitted, kLossRose))
    events.push_back({true, kLossRose, rose->message});
  for (const char* reason : {kGrowthGivenBack, kResizeUnsupported}) {
    if (const auto* limited = newReason(written, next, ConditionType::Resizing, reason)) {
      events.push_back({true, reason, limited->message});
    }
  }
  return events;
}

}  // namespace slaq::loop
