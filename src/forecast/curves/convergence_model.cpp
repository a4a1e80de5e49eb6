#include "forecast/curves/convergence_model.h"

#include <algorithm>
#include <cmath>

#include "forecast/constants.h"
#include "forecast/curves/hyperbola.h"
#include "forecast/curves/sublinear_fit.h"
#include "forecast/curves/superlinear_fit.h"
#include "forecast/curves/trend_fit.h"

namespace slaq::forecast {
namespace {

// A family of curves and the hint of the final loss that it is fitted with.
struct Form {
  CurveFamily family = CurveFamily::Sublinear;
  std::optional<double> target = {};
};

Curve fitForm(const Form& form, std::span<const double> iterations, std::span<const double> losses) {
  switch (form.family) {
    case CurveFamily::Trend:
      return fitTrend(iterations, losses, form.target);
    case CurveFamily::Superlinear:
      return fitSuperlinear(weigh(iterations, losses));
    default:
      return fitSublinear(weigh(iterations, losses));
  }
}

// Forecasts the newest quarter from the rest. Returns the root mean square error in the unit of loss.
double backTest(const Form& form, const LossSeries& series) {
  const std::size_t held = series.size() / 4;
  const std::size_t used = series.size() - held;
  const auto curve = fitForm(form, series.iterations().first(used), series.losses().first(used));
  double sum = 0;
  for (std::size_t i = used; i < series.size(); ++i) {
    const double error = curve.at(series.iterations()[i]) - series.losses()[i];
    sum += error * error;
  }
  return std::sqrt(sum / static_cast<double>(held));
}

struct Choice {
  Form form;
  std::optional<double> error;  // in the unit of loss
};

Choice choose(const LossSeries& series, Convergence wanted, std::optional<double> target) {
  const bool enough = series.size() >= kFewestForBackTest;
  const auto only = [&](CurveFamily family) {
    const Form form{family, target};
    return Choice{form, enough ? std::optional(backTest(form, series)) : std::nullopt};
  };
  if (wanted == Convergence::Sublinear) return only(CurveFamily::Sublinear);
  if (wanted == Convergence::Superlinear) return only(CurveFamily::Superlinear);
  if (wanted == Convergence::NonConvex) return only(CurveFamily::Trend);
  if (!enough) return {{}, std::nullopt};
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
  return target ? *target : curve.at(iteration + aheadToFinal(iteration));
}

Curve ConvergenceModel::curveToDecideBy() const {
  return withKind ? Curve{.family = CurveFamily::Polyline, .points = *withKind} : curve;
}

double ConvergenceModel::finalToDecideBy(double iteration) const {
  return withKind && !target ? withKind->back().loss : forecastFinal(iteration);
}

std::optional<double> targetBelow(const LossSeries& series, std::optional<double> target) {
  if (!target || !(*target < series.lowest())) return std::nullopt;
  return target;
}

std::optional<ConvergenceModel> fitConvergence(const LossSeries& series, Convergence wanted,
                                               std::optional<double> target) {
  if (series.size() < kFewestPairs) return std::nullopt;
  target = targetBelow(series, target);
  const auto choice = choose(series, wanted, target);
  ConvergenceModel model{.target = target};
  model.curve = fitForm(choice.form, series.iterations(), series.losses());
  if (!isUsable(model.curve)) model.curve = Curve{.floor = series.last().value()};
  const double range = series.highest() - series.lowest();
  if (choice.error && range > 0) model.backTestError = *choice.error / range;
  return model;
}

std::optional<ConvergenceModel> fitLastChange(const LossSeries& series, std::optional<double> target) {
  const std::size_t size = series.size();
  if (size < kFewestPairs) return std::nullopt;
  const double since = series.iterations()[size - 1] - series.iterations()[size - 2];
  const double change = series.losses()[size - 2] - series.losses()[size - 1];
  return ConvergenceModel{lineFrom(series.lastIteration().value(), series.last().value(), change / since),
                          {},
                          targetBelow(series, target)};
}

std::optional<double> levelNow(const LossSeries& series, const ConvergenceModel& model) {
  const double first = series.first().value();
  const double final = model.forecastFinal(series.lastIteration().value());
  if (series.change() != LossSeries::Change::Fallen || !(first > final)) return std::nullopt;
  return levelOf(series.last().value(), first, final);
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

}  // namespace slaq::forecast
