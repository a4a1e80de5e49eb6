#include "telemetry/log.h"

#include <algorithm>

#include "scheduler/explain/plan_text.h"

namespace slaq::telemetry {

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c == '\n' ? " " : printable({&c, 1});
  }
  return out + '"';
}

namespace {

// Logs arrivals and changes of state, as the jobs' owners would see them.
void logJobs(spdlog::logger& log, const loop::EpochReport& report) {
  for (std::size_t i = 0; i < report.plan.jobs.size(); ++i) {
    const auto& view = report.view.jobs[i];
    const auto& plan = report.plan.jobs[i];
    if (report.histories.at(view.job.key).pods.known == report.view.time) {
      log.info("event=arrival epoch={} job={}", report.number, toString(plan.job));
    }
    // The losses of a job that was running already when this controller first saw it.
    const auto& history = report.histories.at(view.job.key);
    if (history.pods.adopted && report.number <= 2) {
      log.info("event=history epoch={} job={} losses={}", report.number, toString(plan.job),
               history.losses.series.size());
    }
    if (history.planned.value_or(view.status.state) != plan.state) {
      log.info("event=state epoch={} job={} state={} reason={}", report.number, toString(plan.job),
               name(plan.state), quoted(sentenceOf(plan)));
    }
  }
}

void logActions(spdlog::logger& log, const loop::EpochReport& report) {
  for (const auto& [action, result] : report.actions) {
    const auto job = std::ranges::find(report.plan.jobs, jobOf(action), &scheduler::JobPlan::job);
    if (result) {
      log.info("event=action epoch={} action={} reason={}", report.number, quoted(toString(action)),
               quoted(job->reason));
    } else {
      log.warn("event=action epoch={} action={} error={} kind={}", report.number, quoted(toString(action)),
               quoted(result.error().message), name(result.error().kind));
    }
  }
}

}  // namespace

void logEpoch(spdlog::logger& log, const loop::EpochReport& report) {
  if (report.lossOutage) {
    log.warn("event=loss_outage epoch={} error={}", report.number, quoted(report.lossOutage->message));
  }
  if (report.recordOutage) {
    log.warn("event=record_outage epoch={} error={}", report.number, quoted(report.recordOutage->message));
  }
  logJobs(log, report);
  logActions(log, report);
  for (const auto& [job, error] : report.statusFailures) {
    log.warn("event=status_failed epoch={} job={} error={} kind={}", report.number, toString(job),
             quoted(error.message), name(error.kind));
  }
  log.debug("event=epoch epoch={} jobs={} capacity={} actions={} observe={:.4f} decide={:.4f} apply={:.4f}",
            report.number, report.plan.jobs.size(), toString(report.capacity), report.actions.size(),
            report.observing.count(), report.deciding.count(), report.applying.count());
}

}  // namespace slaq::telemetry
