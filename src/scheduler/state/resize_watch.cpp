#include "scheduler/state/resize_watch.h"

#include <algorithm>
#include <utility>

#include "base/figures.h"

namespace slaq::scheduler {
namespace {

bool cpuIsComing(const WorkersView& workers) {
  return workers.cpu && !workers.cpu->settled && !workers.cpu->impossible;
}

// The cores that a worker really runs with, as far as they are known. Until a change in place is done, these
// are the cores from before.
Cores settledCpuOf(const JobHistory& history, const WorkersView& workers, const JobSpec& spec) {
  if (!workers.cpu) return coresOf(spec.workers.pod);
  if (workers.cpu->settled) return workers.cpu->asked;
  const Cores begun = workers.cpu->impossible ? coresOf(spec.workers.pod) : workers.cpu->asked;
  return history.settledCpu.value_or(begun);
}

void noteDirection(JobHistory& history, Cores change, Time now) {
  const bool isPartOfStart = history.asked.workers == Workers(0) || isStarting(history);
  if (isPartOfStart) {
    history.grew.reset();
    history.shrank.reset();
  } else if (change != Cores()) {
    (change > Cores() ? history.grew : history.shrank) = now;
    ++history.changesInVain;
  }
}

void watchChange(JobHistory& history, const JobView& view, Time now) {
  const auto& workers = view.workers;
  // Pods that are ending are not ready any more, and may still be counted among the active ones.
  const bool hasEnded = workers.active <= workers.desired && workers.terminating == Workers(0);
  const bool settled =
      !runs(workers) || (workers.ready == workers.desired && hasEnded && !cpuIsComing(workers));
  const Size asked = heldSizeOf(view);
  if (settled) {
    // A growth has not arrived if by now less is asked for, or nothing.
    const bool hasCome = history.resizingSince && history.isGrowing && history.asked == asked;
    if (hasCome) history.growthTook = now - *history.resizingSince;
    history.resizingSince.reset();
  } else if (!history.resizingSince || history.asked != asked) {
    history.resizingSince = now;
    history.isGrowing = asked.workers > history.asked.workers;
  }
  noteDirection(history, coresOf(view.job.spec, asked) - coresOf(view.job.spec, history.asked), now);
  history.asked = asked;
}

// The part of the requested size that has arrived; never less than the job's minimum.
Size arrivedOf(const JobHistory& history, const JobView& view) {
  Size arrived = heldSizeOf(view);
  const Workers least = std::min(view.job.spec.workers.min, arrived.workers);
  arrived.workers = std::clamp(view.workers.ready, least, arrived.workers);
  if (cpuIsComing(view.workers)) arrived.cpu = std::min(*arrived.cpu, *history.settledCpu);
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
  const Seconds pause = known ? std::min(2 * known->pause, GivenBack::kLongestPause) : GivenBack().pause;
  known = GivenBack{arrived, now + pause, pause, std::move(why)};
}

std::optional<std::string> obstacleToGrowth(const WorkersView& workers) {
  if (workers.cpu && workers.ready >= workers.desired) return workers.cpu->obstacle;
  return workers.obstacle ? workers.obstacle : workers.fault;
}

// Notes a growth that does not arrive, so that it is given back. Forgets it once a later growth has arrived.
void watchGrowth(JobHistory& history, const JobView& view, Time now) {
  const auto& workers = view.workers;
  auto& known = history.givenBack;
  if (!runs(workers)) known.reset();
  if (!runs(workers)) return;
  if (!history.resizingSince) {
    const bool outlived = known && now - known->until > GivenBack::kLongestPause;
    if (known && (outlived || isBeyond(history.asked, known->size))) known.reset();
    return;
  }
  const auto obstacle = obstacleToGrowth(workers);
  // If nothing is ready yet and there is no obstacle, it is a slow start.
  if (workers.ready == Workers(0) && !obstacle) return;
  if (now - *history.resizingSince < (obstacle ? kObstacleTimeout : history.resizeTimeout)) return;
  const Size arrived = arrivedOf(history, view);
  const bool isKnown = known && now < known->until && !isBeyond(known->size, arrived);
  if (isKnown || !isBeyond(history.asked, arrived)) return;
  giveBack(known, arrived, whyMissing(workers, obstacle, history.resizeTimeout), now);
}

// All pods that the job cannot run without are ready: its driver and this number of workers.
bool areReady(const JobView& view, Workers workers) {
  const bool hasDriver = !view.job.spec.driver || view.driver.ready;
  return hasDriver && view.workers.ready >= workers;
}

bool isBlockedTooLong(const JobHistory& history, Time now) {
  return history.blockedSince && now - *history.blockedSince >= history.resizeTimeout;
}

// Notes a start whose minimum does not arrive, or that another client took back. Its cores are then given to
// other jobs for a while. A pod that failed by itself is no such obstacle: it is made again, and
// spec.backoffLimit limits how often.
void watchMinimum(JobHistory& history, const JobView& view, bool ranBefore, Time now) {
  if (view.job.generation != history.startedGeneration) history.startGivenBack.reset();
  history.startedGeneration = view.job.generation;
  if (ranBefore && view.workers.suspendedBy)
    giveBack(history.startGivenBack, Size(), *view.workers.suspendedBy + " suspended the Job of its workers",
             now);
  // A job that ran before this process started has started, whether that was seen or not: any ready worker
  // shows it.
  const Workers minimum = std::min(view.job.spec.workers.min, view.workers.desired);
  const bool hasStarted = history.hadMinimum || areReady(view, history.adopted ? Workers(1) : minimum);
  history.hadMinimum = runs(view.workers) && hasStarted;
  const auto& known = history.startGivenBack;
  if (history.hadMinimum && known && now - known->until > GivenBack::kLongestPause)
    history.startGivenBack.reset();
  const auto& obstacle = view.driver.obstacle ? view.driver.obstacle : view.workers.obstacle;
  if (!runs(view.workers) || history.hadMinimum || !obstacle) {
    history.blockedSince.reset();
    return;
  }
  if (!history.blockedSince) history.blockedSince = now;
  if (isBlockedTooLong(history, now) && !startGivenBack(history, now))
    giveBack(history.startGivenBack, Size(), *obstacle, now);
}

}  // namespace

void keepFirstStart(std::map<JobKey, JobHistory>& histories, Time now) {
  JobHistory* first = nullptr;
  int starts = 0;
  for (auto& [key, history] : histories) {
    if (!isBlockedTooLong(history, now)) continue;
    ++starts;
    if (!first || *history.blockedSince < *first->blockedSince) first = &history;
  }
  if (starts > 1) first->blockedSince = now;
}

const GivenBack* startGivenBack(const JobHistory& history, Time now) {
  const auto& start = history.startGivenBack;
  return start && now < start->until ? &*start : nullptr;
}

void watchResize(JobHistory& history, const JobView& view, Time now) {
  const bool ranBefore = history.asked.workers > Workers(0);
  history.settledCpu = settledCpuOf(history, view.workers, view.job.spec);
  watchChange(history, view, now);
  watchGrowth(history, view, now);
  watchMinimum(history, view, ranBefore, now);
}

void shareGrowthTime(JobHistory& history, GrowthTimes& growths, Time now) {
  if (const auto took = std::exchange(history.growthTook, {})) growths.add(*took, now);
  history.resizeTimeout = growths.timeout(now);
}

std::optional<Size> growsUpTo(const JobHistory& history, Time now) {
  if (!history.givenBack || now >= history.givenBack->until) return std::nullopt;
  return history.givenBack->size;
}

}  // namespace slaq::scheduler
