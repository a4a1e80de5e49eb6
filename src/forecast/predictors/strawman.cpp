#include "forecast/predictors/strawman.h"

namespace slaq::forecast {

std::optional<ConvergenceModel> Strawman::forecast(std::string_view, const LossSeries& series,
                                                   const LossHints& hints, ForecastMemory&) const {
  return fitLastChange(series, hints.target);
}

}  // namespace slaq::forecast
