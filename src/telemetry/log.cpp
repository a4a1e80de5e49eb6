#include "telemetry/log.h"

#include <algorithm>

namespace slaq {

void logEpoch(spdlog::logger& log, const EpochReport& report) {
  if (report.lossOutage) {
    log.warn("event=loss_outage error=\"{}\"", report.lossOutage->message);
  }
  for (const auto& [action, result] : report.actions) {
    const auto job = std::ranges::find(report.plan.jobs, jobOf(action), &JobPlan::job);
    if (result) {
      log.info("event=action action=\"{}\" reason=\"{}\"", toString(action), job->reason);
    } else {
      log.warn("event=action action=\"{}\" error=\"{}\" kind={}", toString(action), result.error().message,
               name(result.error().kind));
    }
  }
  log.debug("event=epoch jobs={} actions={} observe={:.4f} decide={:.4f} apply={:.4f}", report.plan.jobs.size(),
            report.actions.size(), report.observing.count(), report.deciding.count(), report.applying.count());
}

}  // namespace slaq
