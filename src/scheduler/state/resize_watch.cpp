#include "scheduler/state/resize_watch.h"

#include <algorithm>
#include <utility>

#include "base/figures.h"
#include "scheduler/constants.h"

namespace slaq::scheduler {
namespace {

bool cpuIsComing(const WorkersView& workers) {
  return workers.cpu && !workers.cpu->settled && !workers.cpu->impossible;
}

// The cores that a worker really runs with, as far as they are known. Until a change in place is done, these
// are the cores from before.
Cores settledCpuOf(const ResizeHistory& resizes, const WorkersView& workers, const JobSpec& spec) {
  if (!workers.cpu) return coresOf(spec.workers.pod);
  if (workers.cpu->settled) return workers.cpu->asked;
  const Cores begun = workers.cpu->impossible ? coresOf(spec.workers.pod) : workers.cpu->asked;
  return resizes.settledCpu.value_or(begun);
}

void noteDirection(ResizeHistory& resizes, bool isStart, Cores change, Time now) {
  const bool isPartOfStart = isStart || resizes.asked.workers == Workers(0);
  if (isPartOfStart) {
    resizes.grew.reset();
    resizes.shrank.reset();
  } else if (change != Cores()) {
    (change > Cores() ? resizes.grew : resizes.shrank) = now;
    ++resizes.inVain;
  }
}

void watchChange(ResizeHistory& resizes, const JobView& view, bool isStart, bool isAdoption, Time now) {
  const auto& workers = view.workers;
  // Pods that are ending are not ready any more, and may still be counted among the active ones.
  const bool hasEnded = workers.active <= workers.desired && workers.terminating == Workers(0);
  const bool settled =
      !runs(workers) || (workers.ready == workers.desired && hasEnded && !cpuIsComing(workers));
  const Size asked = heldSizeOf(view);
  if (settled) {
    // A growth has not arrived if by now less is asked for, or nothing.
    const bool hasCome = resizes.since && resizes.isGrowing && resizes.asked == asked;
    if (hasCome) resizes.growthTook = now - *resizes.since;
    resizes.since.reset();
  } else if (!resizes.since || resizes.asked != asked) {
    const bool isUnderWay = resizes.since.has_value();
    resizes.since = now;
    resizes.isGrowing = asked.workers > resizes.asked.workers;
    resizes.isAwaited = (isUnderWay && resizes.isAwaited) || resizes.isGrowing;
    // The workers that an earlier process asked for may have come long ago.
    resizes.isBegun = (isUnderWay && resizes.isBegun) || (resizes.isGrowing && !isAdoption);
  }
  const Cores change = coresOf(view.job.spec, asked) - coresOf(view.job.spec, resizes.asked);
  noteDirection(resizes, isStart, change, now);
  resizes.asked = asked;
}

// The part of the requested size that has arrived; never less than the job's minimum.
Size arrivedOf(const ResizeHistory& resizes, const JobView& view) {
  Size arrived = heldSizeOf(view);
  const Workers least = std::min(view.job.spec.workers.min, arrived.workers);
  arrived.workers = std::clamp(view.workers.ready, least, arrived.workers);
  if (cpuIsComing(view.workers)) arrived.cpu = std::min(*arrived.cpu, *resizes.settledCpu);
  return arrived;
}

bool isBeyond(const Size& a, const Size& b) {
  return a.workers > b.workers || a.cpu.value_or(Cores()) > b.cpu.value_or(Cores());
}

std::string whyMissing(const WorkersView& workers, const std::optional<std::string>& obstacle,
                       Seconds timeout) {
  if (obstacle) return *obstacle;
  const auto waited = std::to_string(static_cast<int>(timeout.count()));
  if (workers.ready == workers.desired) return "the cores did not come within " + waited + " s";
  return "only " + std::to_string(workers.ready.value()) + " of " + counted(workers.desired) +
         " became ready within " + waited + " s";
}

void giveBack(std::optional<GivenBack>& known, const Size& arrived, std::string why, Time now) {
  const Seconds pause = known ? std::min(2 * known->pause, kLongestHold) : GivenBack().pause;
  known = GivenBack{arrived, now + pause, pause, std::move(why)};
}

// The pause before the next try goes on.
bool isPaused(const std::optional<GivenBack>& known, Time now) { return known && now < known->until; }

// A pod that failed by itself is an obstacle only to the growth that it is part of. The cluster makes it
// again after a pause.
std::optional<std::string> obstacleToGrowth(const ResizeHistory& resizes, const WorkersView& workers) {
  if (workers.cpu && workers.ready >= workers.desired) return workers.cpu->obstacle;
  return workers.obstacle || !resizes.isBegun ? workers.obstacle : workers.fault;
}

// Notes a growth that does not arrive, so that it is given back. Forgets it once a later growth has arrived.
void watchGrowth(ResizeHistory& resizes, const JobView& view, Time now) {
  const auto& workers = view.workers;
  auto& known = resizes.givenBack;
  if (!runs(workers)) known.reset();
  if (!runs(workers)) return;
  if (!resizes.since) {
    const bool outlived = known && now - known->until > kLongestHold;
    if (known && (outlived || isBeyond(resizes.asked, known->size))) known.reset();
    return;
  }
  const auto obstacle = obstacleToGrowth(resizes, workers);
  // Nothing tells what keeps the pods of a target.
  const bool isComing = resizes.isAwaited || cpuIsComing(workers) || view.job.spec.workers.target;
  if (!obstacle && !isComing) return;
  // If nothing is ready yet and there is no obstacle, it is a slow start.
  if (workers.ready == Workers(0) && !obstacle) return;
  if (now - *resizes.since < (obstacle ? kObstacleTimeout : resizes.timeout)) return;
  const Size arrived = arrivedOf(resizes, view);
  const bool isKnown = isPaused(known, now) && !isBeyond(known->size, arrived);
  if (isKnown || !isBeyond(resizes.asked, arrived)) return;
  giveBack(known, arrived, whyMissing(workers, obstacle, resizes.timeout), now);
}

// All pods that the job cannot run without are ready: its driver and this number of workers.
bool areReady(const JobView& view, Workers workers) {
  const bool hasDriver = !view.job.spec.driver || view.driver.ready;
  return hasDriver && view.workers.ready >= workers;
}

bool isBlockedTooLong(const ResizeHistory& resizes, Time now) {
  return resizes.blockedSince && now - *resizes.blockedSince >= resizes.timeout;
}

// Notes a start whose minimum does not arrive, or that another client took back. Its cores are then given to
// other jobs for a while. A pod that failed by itself is no such obstacle: it is made again, and
// spec.backoffLimit limits how often.
void watchMinimum(ResizeHistory& resizes, const JobView& view, bool ranBefore, bool wasAdopted, Time now) {
  if (view.job.generation != resizes.startedGeneration) resizes.startGivenBack.reset();
  resizes.startedGeneration = view.job.generation;
  if (ranBefore && view.workers.suspendedBy)
    giveBack(resizes.startGivenBack, Size(), *view.workers.suspendedBy + " suspended the Job of its workers",
             now);
  // A job that ran before this process started has started, whether that was seen or not: any ready worker
  // shows it.
  const Workers minimum = std::min(view.job.spec.workers.min, view.workers.desired);
  const bool hasStarted = resizes.hadMinimum || areReady(view, wasAdopted ? Workers(1) : minimum);
  resizes.hadMinimum = runs(view.workers) && hasStarted;
  const auto& known = resizes.startGivenBack;
  if (resizes.hadMinimum && known && now - known->until > kLongestHold) resizes.startGivenBack.reset();
  const auto& obstacle = view.driver.obstacle ? view.driver.obstacle : view.workers.obstacle;
  if (!runs(view.workers) || resizes.hadMinimum || !obstacle) {
    resizes.blockedSince.reset();
    return;
  }
  if (!resizes.blockedSince) resizes.blockedSince = now;
  if (isBlockedTooLong(resizes, now) && !isPaused(resizes.startGivenBack, now))
    giveBack(resizes.startGivenBack, Size(), *obstacle, now);
}

}  // namespace

void keepFirstStart(std::map<JobKey, JobHistory>& histories, Time now) {
  JobHistory* first = nullptr;
  int starts = 0;
  for (auto& [key, history] : histories) {
    if (!isBlockedTooLong(history.resizes, now)) continue;
    ++starts;
    if (!first || *history.resizes.blockedSince < *first->resizes.blockedSince) first = &history;
  }
  if (starts > 1) first->resizes.blockedSince = now;
}

const GivenBack* startGivenBack(const JobHistory& history, Time now) {
  const auto& start = history.resizes.startGivenBack;
  return isPaused(start, now) ? &*start : nullptr;
}

void watchResize(JobHistory& history, const JobView& view, Time now) {
  const bool ranBefore = history.resizes.asked.workers > Workers(0);
  history.resizes.settledCpu = settledCpuOf(history.resizes, view.workers, view.job.spec);
  watchChange(history.resizes, view, isStarting(history), history.pods.adopted && !ranBefore, now);
  watchGrowth(history.resizes, view, now);
  watchMinimum(history.resizes, view, ranBefore, history.pods.adopted, now);
}

void shareGrowthTime(JobHistory& history, GrowthTimes& growths, Time now) {
  if (const auto took = std::exchange(history.resizes.growthTook, {})) growths.add(*took, now);
  history.resizes.timeout = growths.timeout(now);
}

std::optional<Size> growsUpTo(const JobHistory& history, Time now) {
  if (!isPaused(history.resizes.givenBack, now)) return std::nullopt;
  return history.resizes.givenBack->size;
}

}  // namespace slaq::scheduler
