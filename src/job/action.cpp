#include "job/action.h"

#include "base/figures.h"

namespace slaq {
namespace {

std::string describe(const StartJob& action) {
  const std::string each = action.cpu ? " of " + coresText(*action.cpu) : "";
  return "start " + toString(action.job) + " with " + counted(action.workers) + each;
}

std::string describe(const ScaleWorkers& action) {
  return "scale " + toString(action.job) + " from " + std::to_string(action.from.value()) + " to " +
         counted(action.to);
}

std::string describe(const ScaleCpu& action) {
  return "resize " + toString(action.job) + " from " + toString(action.from) + " to " + coresText(action.to) +
         " a worker";
}

std::string describe(const SuspendJob& action) { return "suspend " + toString(action.job); }

std::string describe(const FinishJob& action) { return "finish " + toString(action.job); }

std::string describe(const DeleteJob& action) { return "delete " + toString(action.job); }

std::string describe(const RequestQuota& action) {
  if (action.workers == Workers(0)) return "give the quota of " + toString(action.job) + " back to its queue";
  return "ask the queue of " + toString(action.job) + " for " + counted(action.workers) +
         (action.podsReady ? ", whose pods are ready" : "") +
         (action.priorityBoost ? ", with the priority boost " + std::to_string(*action.priorityBoost) : "");
}

}  // namespace

const JobKey& jobOf(const Action& action) {
  return std::visit([](const auto& each) -> const JobKey& { return each.job; }, action);
}

std::string toString(const Action& action) {
  return std::visit([](const auto& each) { return describe(each); }, action);
}

}  // namespace slaq
