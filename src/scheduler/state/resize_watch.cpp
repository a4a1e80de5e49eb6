#include "scheduler/state/resize_watch.h"

#include <algorithm>
#include <utility>

#include "base/figures.h"

namespace slaq::scheduler {
namespace {

bool cpuIsComing(const WorkersView& workers) {
  return workers.cpu && !workers.cpu->settled && !workers.cpu->impossible;
}

// What a worker really runs with, as far as it is known: until a change in place is done, what it had before.
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
  // Pods that end are not ready any more, and may still be counted among the active ones.
  const bool hasEnded = workers.active <= workers.desired && workers.terminating == Workers(0);
  const bool settled =
      !runs(workers) || (workers.ready == workers.desired && hasEnded && !cpuIsComing(workers));
  const Size asked = heldSizeOf(view);
  if (settled) {
    // It has not come if less is asked for by now, or nothing.
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

// The part of what was asked for that has arrived; never less than the job's least.
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

// Notes a growth that does not come, so that it is given back; forgets that once a later one came.
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
  const auto& obstacle =
      workers.ready < workers.desired || !workers.cpu ? workers.obstacle : workers.cpu->obstacle;
  // Where nothing is ready yet and nothing stands in the way, it is a slow start.
  if (workers.ready == Workers(0) && !obstacle) return;
  if (now - *history.resizingSince < (obstacle ? kObstacleTimeout : history.resizeTimeout)) return;
  const Size arrived = arrivedOf(history, view);
  const bool isKnown = known && now < known->until && !isBeyond(known->size, arrived);
  if (isKnown || !isBeyond(history.asked, arrived)) return;
  const Seconds pause = known ? std::min(2 * known->pause, GivenBack::kLongestPause) : GivenBack().pause;
  known = GivenBack{arrived, now + pause, pause, whyMissing(workers, obstacle, history.resizeTimeout)};
}

}  // namespace

void watchResize(JobHistory& history, const JobView& view, Time now) {
  history.settledCpu = settledCpuOf(history, view.workers, view.job.spec);
  watchChange(history, view, now);
  watchGrowth(history, view, now);
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
