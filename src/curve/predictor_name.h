// How the loss of a job is forecast.
#pragma once

#include <initializer_list>
#include <optional>
#include <string_view>

namespace slaq {

enum class PredictorName {
  Strawman,   // the last change goes on (section 4.2.2)
  Published,  // weighted curves of the two families (section 4.2.2)
  Ensemble,   // many simple experts, weighed by how they did on this job
};

inline constexpr std::initializer_list<PredictorName> kPredictors = {
    PredictorName::Strawman, PredictorName::Published, PredictorName::Ensemble};

std::string_view name(PredictorName predictor);
std::optional<PredictorName> predictorFrom(std::string_view text);

}  // namespace slaq
