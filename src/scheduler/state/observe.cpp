#include "scheduler/state/observe.h"

#include <algorithm>
#include <utility>

#include "scheduler/constants.h"
#include "scheduler/state/change_cost.h"
#include "scheduler/state/resize_watch.h"

namespace slaq::scheduler {
namespace {

// The time since which the current number of pods has been ready. The cluster may know the time of the last
// change, which stands for all changes since the last look. Otherwise a change that was asked for at the last
// look counts from then, and any other from half way between the two looks.
Time effectiveSince(const JobHistory& history, const JobView& view, Time now) {
  if (history.pods.observed == Time()) return now;
  const auto& changed = view.workers.readyChanged;
  if (changed && !view.workers.cpu) return std::min(now, std::max(history.pods.observed, *changed));
  const bool wasTold = heldSizeOf(view) != history.resizes.asked;
  return wasTold ? history.pods.observed : history.pods.observed + 0.5 * (now - history.pods.observed);
}

// Notes a change that was asked for at the last look, for a job that ran before and runs on.
void noteResize(JobHistory& history, const JobView& view) {
  const Size asked = heldSizeOf(view);
  const Size before = history.resizes.asked;
  const bool runsOn = before.workers > Workers(0) && asked.workers > Workers(0);
  const auto position = history.runtime.iterationAt(history.pods.observed, Seconds(0));
  const auto speed = history.runtime.speed();
  if (!runsOn || asked == before || asked.cpu != before.cpu || !position || !speed) return;
  history.pauses.resized(history.pods.observed, *position, speed->at(inCores(history.pods.running)),
                         coresOf(view.job.spec, asked), asked.workers > before.workers,
                         lostWorkOf(history, view.job.spec.workers.restart).value_or(Seconds(0)));
}

// The time for which the job surely stands still after this change of its cores. It is the pause that other
// jobs reliably had, or the job's own if that is shorter. A change in place has no pause.
Seconds pauseOfChange(const JobHistory& history, const JobView& view, bool grew) {
  if (view.workers.cpu) return Seconds(0);
  const Seconds others = grew ? history.expected.pauses.leastGrow : history.expected.pauses.leastShrink;
  const auto own = grew ? history.pauses.grow() : history.pauses.shrink();
  return std::min(others, own.value_or(others));
}

// A job has run if its workers were ready before, even if they are not ready any more.
void watchStart(PodHistory& pods, const JobView& view, bool ranBefore, Time now) {
  pods.hasRun = pods.hasRun || view.workers.ready > Workers(0);
  if (!runs(view.workers) || view.workers.ready > Workers(0)) {
    pods.startingSince.reset();
  } else if (!ranBefore && !pods.adopted) {
    pods.startingSince = now;
    pods.cpuReadings.clear();
    pods.cpuReadings.add({.time = now, .used = Seconds(0)});
  }
}

// The cores that its workers run with. A process that has a CPU weight but no limit also uses what others
// leave. A process that uses less than its part would not be faster with more; then its part counts. The part
// also counts until the use with it was measured for kCpuUsePeriod.
Cores coresRun(const PodHistory& pods) {
  const auto cores = pods.cpuReadings.coresSince(pods.givenSince);
  if (!cores) return pods.given;
  const std::int64_t quanta = (cores->value() + kCpuQuantum.value() / 2) / kCpuQuantum.value();
  return std::max(pods.given, Cores(quanta * kCpuQuantum.value()));
}

void noteGiven(JobHistory& history, const JobView& view, Time since) {
  if (!view.workers.cpu) history.pods.cpuReadings.clear();
  const Cores given = *history.resizes.settledCpu * view.workers.ready;
  if (std::exchange(history.pods.given, given) != given) history.pods.givenSince = since;
  if (view.workers.cpu && view.workers.cpu->used)
    history.pods.cpuReadings.add({history.pods.observed, *view.workers.cpu->used});
}

// Several failures may come between two looks, and only the last one tells how it ended. If it is like the
// failure before them, all of them count as alike.
void noteFailures(FailureHistory& history, const JobView& view, Time now) {
  const int failures = chiefFailuresOf(view);
  history.forgiven = std::min(history.forgiven, failures);  // pods that failed may be gone
  history.before = std::min(history.seen, failures);
  const int news = failures - std::exchange(history.seen, failures);
  if (news <= 0) return;
  const std::string& how = lastFailureOf(view);
  const bool isSoon = now - std::exchange(history.lastSeen, now) <= kLongestStart;
  const bool isAlike = how == history.last && history.alike > 0 && isSoon;
  history.alike = how.empty() ? 0 : isAlike ? history.alike + news : 1;
  history.last = how;
}

void countService(PodHistory& pods, const JobView& view, Time now) {
  if (pods.observed != Time()) pods.attained += inCores(pods.inUse) * (now - pods.observed).count();
  pods.observed = now;
  pods.inUse = coresInUse(view);
}

}  // namespace

void observe(JobHistory& history, const JobView& view, Time now) {
  const auto& workers = view.workers;
  if (history.pods.known == Time()) {
    history.pods.known = now;
    history.pods.adopted = runs(workers);
    // Failures from before this process started do not count against the job.
    history.failures.forgiven = history.failures.seen = chiefFailuresOf(view);
  }
  // How a job begins that was started after this process is known.
  history.pods.adopted = history.pods.adopted && runs(workers);
  noteFailures(history.failures, view, now);
  const Time lastLook = history.pods.observed == Time() ? now : history.pods.observed;
  Time since = effectiveSince(history, view, now);
  noteResize(history, view);
  countService(history.pods, view, now);
  const bool ranBefore = history.resizes.asked.workers > Workers(0);
  watchResize(history, view, now);
  watchStart(history.pods, view, ranBefore, now);
  noteGiven(history, view, since);
  const Cores ran = std::exchange(history.pods.running, coresRun(history.pods));
  if (history.pods.running > history.pods.given) since = lastLook;
  const auto lost =
      view.workers.cpu ? std::optional(Seconds(0)) : lostWorkOf(history, view.job.spec.workers.restart);
  history.runtime.running(since, history.pods.running,
                          pauseOfChange(history, view, history.pods.running > ran), lost);

  if (workers.ready == Workers(0)) {
    history.pods.readySince.reset();
  } else if (!history.pods.readySince) {
    history.pods.readySince = now;
  }
}

}  // namespace slaq::scheduler
