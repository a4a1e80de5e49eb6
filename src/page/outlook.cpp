#include "page/outlook.h"

#include <algorithm>
#include <cmath>

namespace slaq::page {
namespace {

constexpr int kPoints = 16;            // denser at first, where the curve bends most
constexpr Seconds kShortestAhead{10};  // three epochs

}  // namespace

std::optional<Outlook> outlookOf(const scheduler::JobHistory& history, LossMode mode, Time now, Time began) {
  const auto* model = scheduler::ownModel(history);
  const auto speed = history.runtime.speed();
  const double cores = inCores(history.pods.running);
  if (!model || !speed || cores <= 0 || !history.losses.lastSample) return std::nullopt;
  const double perSecond = speed->at(cores);
  if (!(perSecond > 0)) return std::nullopt;
  const Seconds ahead = std::max(*history.losses.lastSample - history.losses.begun, kShortestAhead);
  const double newest = history.losses.series.lastIteration().value();
  Outlook outlook{.made = now - began, .curve = {}, .error = {}};
  for (int i = 0; i <= kPoints; ++i) {
    const double share = static_cast<double>(i) / kPoints;
    const Seconds then = ahead * (share * share);
    const double loss =
        i == 0 ? history.losses.series.last().value() : model->curve.at(newest + then.count() * perSecond);
    if (!std::isfinite(loss)) return std::nullopt;
    outlook.curve.push_back({*history.losses.lastSample + then - began, oriented(mode, Loss(loss)).value()});
  }
  if (model->backTestError)
    outlook.error =
        *model->backTestError * (history.losses.series.highest() - history.losses.series.lowest());
  return outlook;
}

}  // namespace slaq::page
