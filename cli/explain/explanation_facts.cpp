#include "cli/explain/explanation_facts.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>

#include "cli/terminal/text.h"

namespace slaq::cli::explain {
namespace {

std::optional<double> reducedShare(const JobStatus& status) {
  if (!status.progress || !status.progress->level) return std::nullopt;
  return std::clamp(1 - *status.progress->level, 0.0, 1.0);
}

std::string percentText(double share) { return toDecimal(std::floor(share * 100), 3) + "%"; }

// The status of a condition while the job has no problem; empty for conditions that say how a job ended.
std::optional<Truth> wellStatus(ConditionType type) {
  switch (type) {
    case ConditionType::Ready:
    case ConditionType::MetricsAvailable:
    case ConditionType::ModelFitted:
      return Truth::True;
    case ConditionType::Resizing:
    case ConditionType::Suspended:
    case ConditionType::Failed:
      return Truth::False;
    case ConditionType::Stalled:  // Ready gives the reason
    case ConditionType::Complete:
      break;
  }
  return std::nullopt;
}

bool notable(const Condition& condition, JobState state) {
  const auto well = wellStatus(condition.type);
  if (!well) return false;
  if (condition.type == ConditionType::Ready && finished(state)) return false;  // the end explains it
  const bool isOfLoss =
      condition.type == ConditionType::MetricsAvailable || condition.type == ConditionType::ModelFitted;
  if (isOfLoss && state == JobState::Failed) return false;  // likewise, and it says what to mend
  if (condition.status != *well || isHint(condition)) return true;
  // A resize that is not in progress may have failed.
  static const std::set<std::string> kQuiet = {"Settled", "Over"};
  return condition.type == ConditionType::Resizing && !kQuiet.contains(condition.reason);
}

StopProgress iterationsStop(std::int64_t most, const JobStatus& status) {
  StopProgress stop{.rule = "iteration " + std::to_string(most), .sofar = "none read yet", .share = {}};
  if (!status.progress) return stop;
  const double done = status.progress->iteration.value();
  stop.sofar = toDecimal(done, 9) + " so far";
  stop.share = std::clamp(done / std::max(1.0, static_cast<double>(most)), 0.0, 1.0);
  return stop;
}

StopProgress reductionStop(double percent, const JobStatus& status) {
  StopProgress stop{
      .rule = toDecimal(percent) + "% of the loss reduction", .sofar = "not forecast yet", .share = {}};
  const auto reduced = reducedShare(status);
  if (!reduced) return stop;
  stop.sofar = percentText(*reduced) + " so far";
  stop.share = std::clamp(*reduced * 100 / std::max(1e-9, percent), 0.0, 1.0);
  return stop;
}

StopProgress deadlineStop(Seconds deadline, const JobStatus& status, Time now) {
  StopProgress stop{
      .rule = terminal::toClock(deadline) + " of training", .sofar = "not started yet", .share = {}};
  if (!status.started) return stop;
  const Seconds spent = status.completed.value_or(now) - *status.started;
  stop.sofar = terminal::toClock(spent) + " so far";
  stop.share = std::clamp(spent / std::max(deadline, Seconds(1)), 0.0, 1.0);
  return stop;
}

}  // namespace

std::vector<StopProgress> stopsOf(const kube::objects::StoredJob& job, Time now) {
  const StopSpec& stop = job.job.spec.stop;
  std::vector<StopProgress> all;
  if (stop.lossReductionPercent) all.push_back(reductionStop(*stop.lossReductionPercent, job.status));
  if (stop.patience)
    all.push_back({std::to_string(*stop.patience) + " iterations without a new best loss",
                   "the controller counts them",
                   {}});
  if (stop.maxIterations) all.push_back(iterationsStop(*stop.maxIterations, job.status));
  if (stop.activeDeadline) all.push_back(deadlineStop(*stop.activeDeadline, job.status, now));
  return all;
}

std::vector<Condition> notableConditions(const JobStatus& status) {
  std::vector<Condition> all;
  std::ranges::copy_if(status.conditions, std::back_inserter(all),
                       [&](const Condition& each) { return notable(each, status.state); });
  return all;
}

}  // namespace slaq::cli::explain
