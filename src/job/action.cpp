#include "job/action.h"

namespace slaq {
namespace {

std::string describe(const StartJob& action) {
  return "start " + toString(action.job) + " with " + std::to_string(action.workers.value()) + " workers";
}

std::string describe(const ScaleWorkers& action) {
  return "scale " + toString(action.job) + " from " + std::to_string(action.from.value()) + " to " +
         std::to_string(action.to.value()) + " workers";
}

std::string describe(const SuspendJob& action) { return "suspend " + toString(action.job); }

std::string describe(const FinishJob& action) { return "finish " + toString(action.job); }

}  // namespace

const JobKey& jobOf(const Action& action) {
  return std::visit([](const auto& each) -> const JobKey& { return each.job; }, action);
}

std::string toString(const Action& action) {
  return std::visit([](const auto& each) { return describe(each); }, action);
}

}  // namespace slaq
