#include "forecast/predictors/published.h"

namespace slaq::forecast {

std::optional<ConvergenceModel> Published::forecast(std::string_view, const LossSeries& series,
                                                    const LossHints& hints, ForecastMemory&) const {
  return fitConvergence(series, hints.convergence, hints.target);
}

}  // namespace slaq::forecast
