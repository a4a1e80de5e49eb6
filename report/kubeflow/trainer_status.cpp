#include "report/kubeflow/trainer_status.h"

#include <rapidjson/document.h>

namespace slaq::report {
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
  return value.IsNumber() ? std::optional(value.GetDouble()) : numberFrom(textOf(value));
}

}  // namespace

std::optional<TrainerStatus> trainerStatusFrom(std::string_view json) {
  rapidjson::Document document;
  // The parser uses no recursion, since the sender would choose its depth.
  document.Parse<rapidjson::kParseIterativeFlag>(json.data(), json.size());
  if (document.HasParseError()) return std::nullopt;
  const Value& told = memberOf(document, "trainerStatus");
  if (!told.IsObject()) return std::nullopt;
  TrainerStatus status;
  status.percent = numberOf(memberOf(told, "progressPercentage"));
  const Value& metrics = memberOf(told, "metrics");
  for (rapidjson::SizeType i = 0; metrics.IsArray() && i < metrics.Size(); ++i) {
    const auto name = textOf(memberOf(metrics[i], "name"));
    const auto value = numberOf(memberOf(metrics[i], "value"));
    if (!name.empty() && value) status.metrics.push_back({lowerCase(name), *value});
  }
  return status;
}

}  // namespace slaq::report
