#include "curve/convergence_model.h"

#include <algorithm>
#include <cmath>

#include "curve/curve_fit.h"

namespace slaq {
namespace {

// With fewer pairs than this there is nothing to hold back for a back-test.
constexpr std::size_t kFewestForBackTest = 6;

CurveFit fitFamily(CurveFamily family, const WeightedPairs& pairs) {
  return family == CurveFamily::Superlinear ? fitSuperlinear(pairs) : fitSublinear(pairs);
}

// Forecasts the newest quarter from the rest. The result is a root mean square error in the unit of loss.
double backTest(CurveFamily family, const LossSeries& series) {
  const std::size_t held = series.size() / 4;
  const std::size_t used = series.size() - held;
  const auto fit = fitFamily(family, weigh(series.iterations().first(used), series.losses().first(used)));
  double sum = 0;
  for (std::size_t i = used; i < series.size(); ++i) {
    const double error = fit.curve.at(series.iterations()[i]) - series.losses()[i];
    sum += error * error;
  }
  return std::sqrt(sum / static_cast<double>(held));
}

struct Choice {
  CurveFamily family = CurveFamily::Sublinear;
  std::optional<double> error;  // in the unit of loss
};

Choice choose(const LossSeries& series, Convergence wanted) {
  const bool enough = series.size() >= kFewestForBackTest;
  const auto only = [&](CurveFamily family) {
    return Choice{family, enough ? std::optional(backTest(family, series)) : std::nullopt};
  };
  if (wanted == Convergence::Sublinear) return only(CurveFamily::Sublinear);
  if (wanted == Convergence::Superlinear) return only(CurveFamily::Superlinear);
  if (!enough) return {CurveFamily::Sublinear, std::nullopt};
  const auto sublinear = only(CurveFamily::Sublinear);
  const auto superlinear = only(CurveFamily::Superlinear);
  return *superlinear.error < *sublinear.error ? superlinear : sublinear;
}

bool isUsable(const Curve& curve) {
  return std::isfinite(curve.floor) && std::isfinite(curve.a) && std::isfinite(curve.b) &&
         std::isfinite(curve.c) && std::isfinite(curve.amplitude) && std::isfinite(curve.rate);
}

}  // namespace

double ConvergenceModel::forecastFinal(double iteration) const {
  return curve.at(iteration + std::max(100.0, 9 * iteration));
}

std::optional<ConvergenceModel> fitConvergence(const LossSeries& series, Convergence wanted) {
  if (series.size() < kFewestPairs) return std::nullopt;
  const auto choice = choose(series, wanted);
  ConvergenceModel model;
  model.curve = fitFamily(choice.family, weigh(series.iterations(), series.losses())).curve;
  if (!isUsable(model.curve)) model.curve = Curve{.floor = series.last().value()};
  const auto [lowest, highest] = std::ranges::minmax(series.losses());
  if (choice.error && highest > lowest) model.backTestError = *choice.error / (highest - lowest);
  return model;
}

double levelOf(double loss, double first, double final) {
  if (!(first > final)) return 0;
  return std::clamp((loss - final) / (first - final), 0.0, 1.0);
}

std::optional<double> iterationsToLevel(const ConvergenceModel& model, double first, double iteration,
                                        double level) {
  const double final = model.forecastFinal(iteration);
  const auto levelAfter = [&](double ahead) {
    return levelOf(model.curve.at(iteration + ahead), first, final);
  };
  if (levelAfter(0) <= level) return 0.0;
  double high = 1;
  while (levelAfter(high) > level) {
    high *= 2;
    if (high > 1e9) return std::nullopt;
  }
  double low = high / 2;
  for (int i = 0; i < 40; ++i) {
    const double middle = 0.5 * (low + high);
    (levelAfter(middle) > level ? low : high) = middle;
  }
  return high;
}

}  // namespace slaq
