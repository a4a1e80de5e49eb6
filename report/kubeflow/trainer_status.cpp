#include "report/kubeflow/trainer_status.h"

namespace slaq::report {

std::optional<metrics::TrainerStatus> trainerStatusFrom(std::string_view json) {
  rapidjson::Document document;
  // The parser uses no recursion, since the sender would choose its depth.
  document.Parse<rapidjson::kParseIterativeFlag>(json.data(), json.size());
  if (document.HasParseError() || !document.IsObject()) return std::nullopt;
  const auto told = document.FindMember("trainerStatus");
  if (told == document.MemberEnd() || !told->value.IsObject()) return std::nullopt;
  return metrics::readTrainerStatus(told->value);
}

}  // namespace slaq::report
