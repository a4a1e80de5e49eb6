#include "curve/predictor_name.h"

namespace slaq {

std::string_view name(PredictorName predictor) {
  switch (predictor) {
    case PredictorName::Strawman:
      return "Strawman";
    case PredictorName::Published:
      return "Published";
    case PredictorName::Ensemble:
      return "Ensemble";
  }
  return "Published";
}

std::optional<PredictorName> predictorFrom(std::string_view text) {
  for (const auto each : kPredictors) {
    if (text == name(each)) return each;
  }
  return std::nullopt;
}

}  // namespace slaq
