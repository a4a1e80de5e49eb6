#include "metrics/trainer_status.h"

#include <algorithm>

#include "base/text.h"

namespace slaq::metrics {
namespace {

using rapidjson::Value;

// The member of that name, or null where there is none.
const Value& memberOf(const Value& object, const char* name) {
  static const Value none;
  if (!object.IsObject()) return none;
  const auto found = object.FindMember(name);
  return found == object.MemberEnd() ? none : found->value;
}

std::string_view textOf(const Value& value) {
  return value.IsString() ? std::string_view(value.GetString(), value.GetStringLength()) : std::string_view();
}

// The protocol sends numbers as text.
std::optional<double> numberOf(const Value& value) {
  return value.IsNumber() ? std::optional(value.GetDouble()) : numberFrom<double>(withoutPlus(textOf(value)));
}

}  // namespace

TrainerStatus readTrainerStatus(const Value& trainerStatus) {
  TrainerStatus status;
  status.percent = numberOf(memberOf(trainerStatus, "progressPercentage"));
  const Value& metrics = memberOf(trainerStatus, "metrics");
  for (rapidjson::SizeType i = 0; metrics.IsArray() && i < metrics.Size(); ++i) {
    const auto name = textOf(memberOf(metrics[i], "name"));
    const auto value = numberOf(memberOf(metrics[i], "value"));
    if (!name.empty() && value) status.metrics.push_back({lowerCase(name), *value});
  }
  return status;
}

std::optional<double> valueOf(const TrainerStatus& status, std::initializer_list<std::string_view> names) {
  for (const auto name : names) {
    const auto found = std::ranges::find(status.metrics, name, &NamedValue::name);
    if (found != status.metrics.end()) return found->value;
  }
  return std::nullopt;
}

std::optional<double> stepOf(const TrainerStatus& status) {
  return valueOf(status, {"current_step", "global_step", "step", "iteration"});
}

std::optional<double> epochOf(const TrainerStatus& status) {
  return valueOf(status, {"current_epoch", "epoch"});
}

}  // namespace slaq::metrics
