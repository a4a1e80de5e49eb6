#include "report/kubeflow/status_reader.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "report/output/metric_name.h"

namespace slaq::report {
namespace {

// The protocol allows for 256 metrics.
constexpr std::size_t kMostNames = 256;
constexpr double kAll = 100;  // percent

// The first of these names that the status has.
std::optional<double> firstOf(const TrainerStatus& status, std::initializer_list<std::string_view> names) {
  for (const auto name : names) {
    const auto found = std::ranges::find(status.metrics, name, &NamedNumber::name);
    if (found != status.metrics.end()) return found->value;
  }
  return std::nullopt;
}

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
  if (const auto total = firstOf(status, {"total_steps"})) total_ = total;
  if (const auto step = firstOf(status, {"current_step", "global_step", "step", "iteration"})) {
    step_ = step;
    epoch_ = firstOf(status, {"current_epoch"});
    return step_;
  }
  if (!step_ && !total_) return firstOf(status, {"current_epoch", "epoch"});
  if (total_ && status.percent == kAll) step_ = lastStepOf(status);
  return step_;
}

// The last status of transformers has no step, and a training that is stopped early ends before its last
// planned step. So the last step is computed from the epoch of its last values.
double StatusReader::lastStepOf(const TrainerStatus& status) const {
  const auto epoch = firstOf(status, {"epoch"});
  if (!step_ || !epoch || !epoch_ || *epoch_ <= 0 || !std::isfinite(*epoch)) return total_.value_or(0);
  const double last = std::round(*step_ * *epoch / *epoch_);
  return std::min(std::max(last, *step_), std::max(*total_, *step_));
}

}  // namespace slaq::report
