#include "scheduler/explain/plan_text.h"

#include "base/figures.h"
#include "scheduler/lifecycle/lifecycle.h"

namespace slaq::scheduler {

std::string sizeText(const Size& size) {
  if (!size.cpu) return std::to_string(size.workers.value());
  return size.workers == Workers(1) ? decimalCoresText(*size.cpu) : toString(*size.cpu) + " each";
}

bool isResized(const JobPlan& plan) {
  return plan.held > Workers(0) && (plan.held != plan.target || plan.heldCpu != plan.targetCpu);
}

std::string changeText(const JobPlan& plan) {
  const Size target{plan.target, plan.targetCpu};
  if (plan.held == Workers(0)) return "starts with " + sizeText(target);
  if (!isResized(plan)) return "keeps " + sizeText(target);
  if (plan.held != plan.target) return sizeText({plan.held, {}}) + " -> " + sizeText({plan.target, {}});
  const bool isOne = plan.target == Workers(1);
  return (isOne ? toDecimal(inCores(*plan.heldCpu)) : toString(*plan.heldCpu)) + " -> " + sizeText(target);
}

std::string awaitedText(const JobPlan& plan) {
  if (plan.awaited == Cores()) return "";
  return "; waits for " + coresText(plan.awaited) + " that others are giving back";
}

std::string sentenceOf(const JobPlan& plan) {
  if (!takesPart(plan.phase)) return plan.reason;
  const std::string handover = plan.handover.empty() ? "" : "; " + plan.handover;
  return changeText(plan) + ": " + plan.reason + handover + awaitedText(plan);
}

}  // namespace slaq::scheduler
