#include "job/status.h"

#include <algorithm>
#include <array>

namespace slaq {
namespace {

template <class Enum, std::size_t N>
std::optional<Enum> parse(std::string_view text, const Enum (&all)[N]) {
  for (const Enum each : all) {
    if (name(each) == text) return each;
  }
  return std::nullopt;
}

}  // namespace

std::string_view name(JobState state) {
  switch (state) {
    case JobState::Pending:
      return "Pending";
    case JobState::Waiting:
      return "Waiting";
    case JobState::Running:
      return "Running";
    case JobState::Suspended:
      return "Suspended";
    case JobState::Complete:
      return "Complete";
    case JobState::Failed:
      return "Failed";
  }
  return "Pending";
}

std::string_view name(ConditionType type) {
  switch (type) {
    case ConditionType::Ready:
      return "Ready";
    case ConditionType::MetricsAvailable:
      return "MetricsAvailable";
    case ConditionType::ModelFitted:
      return "ModelFitted";
    case ConditionType::Resizing:
      return "Resizing";
    case ConditionType::Suspended:
      return "Suspended";
    case ConditionType::Complete:
      return "Complete";
    case ConditionType::Failed:
      return "Failed";
    case ConditionType::Stalled:
      return "Stalled";
  }
  return "Ready";
}

std::string_view name(Truth truth) {
  switch (truth) {
    case Truth::True:
      return "True";
    case Truth::False:
      return "False";
    case Truth::Unknown:
      return "Unknown";
  }
  return "Unknown";
}

std::optional<JobState> jobStateFrom(std::string_view text) {
  using enum JobState;
  return parse(text, {Pending, Waiting, Running, JobState::Suspended, JobState::Complete, JobState::Failed});
}

std::optional<ConditionType> conditionTypeFrom(std::string_view text) {
  using enum ConditionType;
  return parse(text, {Ready, MetricsAvailable, ModelFitted, Resizing, ConditionType::Suspended,
                      ConditionType::Complete, ConditionType::Failed, Stalled});
}

std::optional<Truth> truthFrom(std::string_view text) {
  return parse(text, {Truth::True, Truth::False, Truth::Unknown});
}

bool isHint(const Condition& condition) {
  static constexpr std::array<std::string_view, 4> kReasons = {kSeveralSeries, kNotFallen, kLossRose,
                                                               kNoIterations};
  return std::ranges::find(kReasons, condition.reason) != kReasons.end();
}

const Condition* find(const std::vector<Condition>& conditions, ConditionType type) {
  const auto found = std::ranges::find(conditions, type, &Condition::type);
  return found == conditions.end() ? nullptr : &*found;
}

void set(std::vector<Condition>& conditions, Condition next) {
  const auto at = std::ranges::lower_bound(conditions, next.type, {}, &Condition::type);
  if (at == conditions.end() || at->type != next.type) {
    conditions.insert(at, std::move(next));
    return;
  }
  if (at->status == next.status) next.lastTransition = at->lastTransition;
  *at = std::move(next);
}

}  // namespace slaq
