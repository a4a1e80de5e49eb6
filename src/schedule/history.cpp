#include "schedule/history.h"

#include <algorithm>
#include <cmath>

namespace slaq {

void observe(JobHistory& history, const JobView& view, Time now) {
  const auto& workers = view.workers;
  if (history.known == Time()) {
    history.known = now;
    history.adopted = runs(workers);
    // What happened before this process came cannot be held against the job.
    history.forgivenFailures = view.driver.failures;
  }
  history.runtime.running(now, coresOf(view.job.spec.workers.pod) * workers.ready);

  const bool settled =
      !runs(workers) || (workers.ready == workers.desired && workers.terminating == Workers(0));
  if (settled) {
    history.resizingSince.reset();
  } else if (!history.resizingSince || history.asked != workers.desired) {
    history.resizingSince = now;
  }
  history.asked = workers.desired;

  if (workers.ready == Workers(0)) {
    history.readySince.reset();
  } else if (!history.readySince) {
    history.readySince = now;
  }
}

void learn(JobHistory& history, Time time, Iterations iteration, Loss loss, std::optional<Loss> initial,
           int chiefFailures) {
  if (history.lastSample && time <= *history.lastSample) return;
  history.lastSample = time;
  history.lastWasFinite = std::isfinite(loss.value());
  history.runtime.sample(time, iteration);
  if (history.series.empty() && initial && iteration > Iterations(0))
    history.series.add(Iterations(0), *initial);
  const bool advanced = !history.series.empty() && iteration > history.furthest;
  history.furthest = std::max(history.furthest, iteration);
  history.series.add(iteration, loss);
  if (advanced) history.forgivenFailures = chiefFailures;
}

void refit(JobHistory& history, Convergence wanted) {
  if (history.fitted == history.series.revision()) return;
  history.model = fitConvergence(history.series, wanted);
  history.fitted = history.series.revision();
}

Iterations iterationAt(const JobHistory& history, Cores running, Time now, Seconds most) {
  const auto last = history.series.lastIteration();
  const auto cost = history.runtime.coreSecondsPerIteration();
  if (!cost || !(*cost > 0) || !history.lastSample) return last;
  const double elapsed = std::clamp((now - *history.lastSample).count(), 0.0, most.count());
  return last + Iterations(elapsed * inCores(running) / *cost);
}

}  // namespace slaq
