#include "scheduler/state/observe.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "scheduler/state/change_cost.h"
#include "scheduler/state/resize_watch.h"

namespace slaq::scheduler {
namespace {

// The time since which the current number of pods has been ready. The cluster may know the time of the last
// change, which stands for all changes since the last look. Otherwise a change that was asked for at the last
// look counts from then, and any other from half way between the two looks.
Time effectiveSince(const JobHistory& history, const JobView& view, Time now) {
  if (history.observed == Time()) return now;
  const auto& changed = view.workers.readyChanged;
  if (changed && !view.workers.cpu) return std::min(now, std::max(history.observed, *changed));
  const bool wasTold = heldSizeOf(view) != history.asked;
  return wasTold ? history.observed : history.observed + 0.5 * (now - history.observed);
}

// Notes a change that was asked for at the last look, for a job that ran before and runs on.
void noteResize(JobHistory& history, const JobView& view) {
  const Size asked = heldSizeOf(view);
  const Size before = history.asked;
  const bool runsOn = before.workers > Workers(0) && asked.workers > Workers(0);
  const auto position = history.runtime.iterationAt(history.observed, Seconds(0));
  const auto speed = history.runtime.speed();
  if (!runsOn || asked == before || asked.cpu != before.cpu || !position || !speed) return;
  history.pauses.resized(history.observed, *position, speed->at(inCores(history.running)),
                         coresOf(view.job.spec, asked), asked.workers > before.workers,
                         lostWorkOf(history, view.job.spec.workers.restart).value_or(Seconds(0)));
}

// The time for which the job surely stands still after this change of its cores. It is the pause that other
// jobs reliably had, or the job's own if that is shorter. A change in place has no pause.
Seconds pauseOfChange(const JobHistory& history, const JobView& view, bool grew) {
  if (view.workers.cpu) return Seconds(0);
  const Seconds others = grew ? history.expectedPauses.leastGrow : history.expectedPauses.leastShrink;
  const auto own = grew ? history.pauses.grow() : history.pauses.shrink();
  return std::min(others, own.value_or(others));
}

// A job has run if its workers were ready before, even if they are not ready any more.
void watchStart(JobHistory& history, const JobView& view, bool ranBefore, Time now) {
  history.hasRun = history.hasRun || view.workers.ready > Workers(0);
  if (!runs(view.workers) || view.workers.ready > Workers(0)) {
    history.startingSince.reset();
  } else if (!ranBefore && !history.adopted) {
    history.startingSince = now;
  }
}

// The cores that its workers run with. A process that has a CPU weight but no limit also uses what others
// leave. A process that uses less than its part would not be faster with more; then its part counts. The part
// also counts until the use with it was measured.
Cores coresRun(const JobHistory& history) {
  const auto &before = history.cpuUsedBefore, &now = history.cpuUsed;
  const Cores given = history.given;
  if (!now || !before || before->time < history.givenSince || now->used < before->used) return given;
  const Cores cores(std::lround(1000 * (now->used - before->used) / (now->time - before->time)));
  const std::int64_t quanta = (cores.value() + kCpuQuantum.value() / 2) / kCpuQuantum.value();
  return std::max(given, Cores(quanta * kCpuQuantum.value()));
}

void noteGiven(JobHistory& history, const JobView& view, Time since) {
  if (!view.workers.cpu) history.cpuUsed = history.cpuUsedBefore = std::nullopt;
  const Cores given = *history.settledCpu * view.workers.ready;
  if (std::exchange(history.given, given) != given) history.givenSince = since;
  if (view.workers.cpu && view.workers.cpu->used)
    noteCpuUse(history, {history.observed, *view.workers.cpu->used});
}

// Failures that are further apart do not come from how the program starts.
constexpr Seconds kLongestStart{600};

// Several failures may come between two looks, and only the last one tells how it ended. If it is like the
// failure before them, all of them count as alike.
void noteFailures(JobHistory& history, const JobView& view, Time now) {
  const int failures = chiefFailuresOf(view);
  const int news = failures - std::exchange(history.seenFailures, failures);
  if (news <= 0) return;
  const std::string& how = lastFailureOf(view);
  const bool isSoon = now - std::exchange(history.lastFailed, now) <= kLongestStart;
  const bool isAlike = how == history.lastFailure && history.alikeFailures > 0 && isSoon;
  history.alikeFailures = how.empty() ? 0 : isAlike ? history.alikeFailures + news : 1;
  history.lastFailure = how;
}

void countService(JobHistory& history, const JobView& view, Time now) {
  if (history.observed != Time())
    history.attained += inCores(history.inUse) * (now - history.observed).count();
  history.observed = now;
  history.inUse = coresInUse(view);
}

}  // namespace

void noteCpuUse(JobHistory& history, const CpuUse& use) {
  if (history.cpuUsed && use.time <= history.cpuUsed->time) return;
  history.cpuUsedBefore = std::exchange(history.cpuUsed, use);
}

void observe(JobHistory& history, const JobView& view, Time now) {
  const auto& workers = view.workers;
  if (history.known == Time()) {
    history.known = now;
    history.adopted = runs(workers);
    // Failures from before this process started do not count against the job.
    history.forgivenFailures = history.seenFailures = chiefFailuresOf(view);
  }
  noteFailures(history, view, now);
  const Time lastLook = history.observed == Time() ? now : history.observed;
  Time since = effectiveSince(history, view, now);
  noteResize(history, view);
  countService(history, view, now);
  const bool ranBefore = history.asked.workers > Workers(0);
  watchResize(history, view, now);
  watchStart(history, view, ranBefore, now);
  noteGiven(history, view, since);
  const Cores ran = std::exchange(history.running, coresRun(history));
  if (history.running > history.given) since = lastLook;
  const auto lost =
      view.workers.cpu ? std::optional(Seconds(0)) : lostWorkOf(history, view.job.spec.workers.restart);
  history.runtime.running(since, history.running, pauseOfChange(history, view, history.running > ran), lost);

  if (workers.ready == Workers(0)) {
    history.readySince.reset();
  } else if (!history.readySince) {
    history.readySince = now;
  }
}

}  // namespace slaq::scheduler
