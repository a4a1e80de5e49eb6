#include "kube/targets/shown_loss.h"

#include <algorithm>
#include <tuple>

#include "base/text.h"
#include "metrics/metric_name.h"

namespace slaq::kube::targets {
namespace {

using metrics::TrainerStatus;

// A status may have 256 metrics.
constexpr std::size_t kMostNamed = 8;

std::optional<double> iterationIn(const TrainerStatus& status, const LossSpec& loss,
                                  std::optional<double> step) {
  if (loss.iterationMetric != kDefaultIterationMetric)
    return metrics::valueOf(status, {lowerCase(loss.iterationMetric)});
  return step ? step : status.percent;
}

// "lr, accuracy".
std::string namesIn(const TrainerStatus& status) {
  std::string names;
  for (std::size_t i = 0; i < std::min(kMostNamed, status.metrics.size()); ++i)
    names += (i ? ", " : "") + printable(status.metrics[i].name);
  if (status.metrics.size() > kMostNamed) names += " and more";
  return names.empty() ? "no metrics" : names;
}

// Names what the job needs and the status lacks.
std::string lackIn(const TrainerStatus& status, const LossSpec& loss) {
  if (loss.metric != kDefaultLossMetric)
    return metrics::valueOf(status, {lowerCase(loss.metric)}) ? "iteration of " + printable(loss.metric)
                                                              : printable(loss.metric);
  return loss.mode == LossMode::Minimize ? "loss with an iteration" : "rising metric with an iteration";
}

}  // namespace

void ShownLossReader::note(const TrainerStatus& status, const LossSpec& loss) {
  const auto news = news_.read(status);
  const auto iteration = iterationIn(status, loss, news.step);
  for (const auto& each : news.values) values_[each.name] = {each.value, iteration};
  // A metric that the job names may have a name like that of a counter.
  const std::string named = lowerCase(loss.metric);
  const auto value = metrics::valueOf(status, {named});
  if (value && (!values_.contains(named) || values_[named].value != *value))
    values_[named] = {*value, iteration};
  for (auto& [name, value] : values_) {
    if (!value.iteration) value.iteration = iteration;
  }
}

// A loss of training data first, since it comes most often.
const std::string* ShownLossReader::best(LossMode mode) const {
  const auto wanted = mode == LossMode::Minimize ? metrics::Meaning::Minimized : metrics::Meaning::Maximized;
  const auto rankOf = [](const std::string& name) {
    const metrics::Metric metric = metrics::metricOf(name);
    return std::pair(!metric.isLoss, metric.isValidation);
  };
  const std::string* best = nullptr;
  for (const auto& [name, value] : values_) {
    if (metrics::metricOf(name).meaning != wanted) continue;
    if (!best || rankOf(name) < rankOf(*best)) best = &name;
  }
  return best;
}

std::optional<ShownLoss> ShownLossReader::read(const TargetMaker& maker, const LossSpec& loss,
                                               const std::string& name) {
  if (!maker.trainer || !loss.query.empty()) return std::nullopt;
  const auto readBy = [](const LossSpec& spec) {
    return std::tie(spec.metric, spec.iterationMetric, spec.mode);
  };
  if (readBy(loss) != readBy(spec_)) *this = {};
  spec_ = loss;
  if (last_ != maker.trainer) note(*maker.trainer, loss);
  last_ = maker.trainer;
  if (metric_.empty() && loss.metric != kDefaultLossMetric) {
    metric_ = lowerCase(loss.metric);
  } else if (const auto* chosen = metric_.empty() ? best(loss.mode) : nullptr) {
    metric_ = *chosen;
  }
  const auto found = values_.find(metric_);
  if (found != values_.end() && found->second.iteration)
    return ShownLoss{.sample = LossSample{maker.trainerUpdated, Iterations(*found->second.iteration),
                                          Loss(found->second.value)}};
  return ShownLoss{.problem = name + " shows " + namesIn(*maker.trainer) +
                              " in status.trainerStatus, and no " + lackIn(*maker.trainer, loss) +
                              "; spec.loss can name other metrics"};
}

}  // namespace slaq::kube::targets
