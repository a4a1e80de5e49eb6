#include "telemetry/job_cores.h"

#include "scheduler/lifecycle/admission.h"

namespace slaq::telemetry {

Cores decidedWorkerCores(const JobView& view, const scheduler::JobPlan& plan) {
  return plan.targetCpu.value_or(coresOf(view.job.spec.workers.pod));
}

Cores readyCores(const JobView& view, const scheduler::JobPlan& plan) {
  return plan.heldCpu.value_or(coresOf(view.job.spec.workers.pod)) * view.workers.ready;
}

Cores decidedCores(const JobView& view, const scheduler::JobPlan& plan) {
  if (plan.target == Workers(0)) return {};
  return decidedWorkerCores(view, plan) * plan.target + scheduler::driverCoresOf(view.job.spec);
}

}  // namespace slaq::telemetry
