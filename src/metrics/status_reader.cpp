#include "metrics/status_reader.h"

#include <algorithm>
#include <cmath>

#include "metrics/metric_name.h"

namespace slaq::metrics {
namespace {

// The protocol allows for 256 metrics.
constexpr std::size_t kMostNames = 256;
constexpr double kAll = 100;  // percent

}  // namespace

StatusReader::News StatusReader::read(const TrainerStatus& status) {
  News news{.step = stepOf(status), .values = {}};
  for (const auto& each : status.metrics) {
    const auto before = told_.find(each.name);
    const bool isKnown = before != told_.end();
    if (counterOf(each.name) != Counter::None || (isKnown && before->second == each.value)) continue;
    if (!isKnown && told_.size() >= kMostNames) continue;
    told_[each.name] = each.value;
    news.values.push_back(each);
  }
  return news;
}

std::optional<double> StatusReader::stepOf(const TrainerStatus& status) {
  if (const auto total = valueOf(status, {"total_steps"})) total_ = total;
  if (const auto step = metrics::stepOf(status)) {
    step_ = step;
    epoch_ = valueOf(status, {"current_epoch"});
    return step_;
  }
  if (!step_ && !total_) return epochOf(status);
  if (total_ && status.percent == kAll) {
    step_ = lastStepOf(status);
    if (const auto epoch = valueOf(status, {"epoch"})) epoch_ = epoch;
  }
  return step_;
}

// The last status of transformers has no step, and a training that is stopped early ends before its last
// planned step. So the last step is computed from the epoch of its last values.
double StatusReader::lastStepOf(const TrainerStatus& status) const {
  const auto epoch = valueOf(status, {"epoch"});
  if (!step_ || !epoch || !epoch_ || *epoch_ <= 0 || !std::isfinite(*epoch)) return total_.value_or(0);
  const double last = std::round(*step_ * *epoch / *epoch_);
  return std::min(std::max(last, *step_), std::max(*total_, *step_));
}

}  // namespace slaq::metrics
