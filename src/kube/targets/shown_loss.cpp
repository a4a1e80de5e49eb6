#include "kube/targets/shown_loss.h"

#include <algorithm>

#include "base/text.h"
#include "metrics/metric_name.h"

namespace slaq::kube::targets {
namespace {

using metrics::NamedValue;
using metrics::TrainerStatus;

// A status may have 256 metrics.
constexpr std::size_t kMostNamed = 8;

// The metric that shows the progress best, of those that improve in the job's direction.
const NamedValue* bestOf(const TrainerStatus& status, LossMode mode) {
  const auto wanted = mode == LossMode::Minimize ? metrics::Meaning::Minimized : metrics::Meaning::Maximized;
  const NamedValue* best = nullptr;
  for (const auto& each : status.metrics) {
    const metrics::Metric metric = metrics::metricOf(each.name);
    if (metric.meaning != wanted) continue;
    if (!best || metrics::rankOf(metric) < metrics::rankOf(metrics::metricOf(best->name))) best = &each;
  }
  return best;
}

std::optional<double> lossIn(const TrainerStatus& status, const LossSpec& loss) {
  if (loss.metric != kDefaultLossMetric) return metrics::valueOf(status, {lowerCase(loss.metric)});
  const auto* best = bestOf(status, loss.mode);
  return best ? std::optional(best->value) : std::nullopt;
}

std::optional<double> iterationIn(const TrainerStatus& status, const LossSpec& loss) {
  if (loss.iterationMetric != kDefaultIterationMetric)
    return metrics::valueOf(status, {lowerCase(loss.iterationMetric)});
  if (const auto step = metrics::stepOf(status)) return step;
  if (const auto epoch = metrics::epochOf(status)) return epoch;
  return status.percent;
}

std::string namesIn(const TrainerStatus& status) {
  std::string names;
  for (std::size_t i = 0; i < std::min(kMostNamed, status.metrics.size()); ++i)
    names += (i ? ", " : "") + printable(status.metrics[i].name);
  if (status.metrics.size() > kMostNamed) names += " and more";
  return names.empty() ? "no metrics" : names;
}

}  // namespace

std::optional<ShownLoss> shownLossOf(const TargetMaker& maker, const LossSpec& loss,
                                     const std::string& name) {
  if (!maker.trainer || !loss.query.empty()) return std::nullopt;
  const auto value = lossIn(*maker.trainer, loss);
  const auto iteration = iterationIn(*maker.trainer, loss);
  if (value && iteration)
    return ShownLoss{.sample = LossSample{maker.trainerUpdated, Iterations(*iteration), Loss(*value)}};
  return ShownLoss{.problem = name + " tells no " + (value ? "iteration" : "loss") +
                              " in status.trainerStatus, which has " + namesIn(*maker.trainer) +
                              "; spec.loss can name a metric of it"};
}

}  // namespace slaq::kube::targets
