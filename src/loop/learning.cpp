#include "loop/learning.h"

#include "base/share_work.h"
#include "scheduler/state/observe.h"

namespace slaq::loop {
namespace {

// Waking a thread takes as long as some tens of forecasts.
constexpr std::size_t kJobsForAThread = 256;

void takeIn(const JobObservation& job) {
  scheduler::JobHistory& history = *job.history;
  history.losses.caughtUp = !job.loss->waits;
  history.losses.problem = job.loss->problem;
  const auto before = history.losses.lastSample;
  if (!job.loss->samples.empty()) history.losses.notice = job.loss->notice;
  if (job.loss->cpuUsed) history.pods.cpuReadings.add(*job.loss->cpuUsed);
  for (const auto& sample : job.loss->samples) {
    const auto initial = sample.initial ? std::optional(oriented(job.mode, *sample.initial)) : std::nullopt;
    learn(history, sample.time, sample.iteration, oriented(job.mode, sample.loss), initial);
  }
  if (history.losses.lastSample != before)
    history.losses.sampleTimes.addDelay(history.pods.observed - *history.losses.lastSample);
}

}  // namespace

JobObservation observationOf(const JobView& view, const JobLoss& loss, scheduler::JobHistory& history) {
  return {&loss, &history, scheduler::wishesOf(view.job.spec), view.job.spec.loss.mode};
}

std::size_t threadsFor(std::size_t jobs) { return slaq::threadsFor(jobs, kJobsForAThread); }

void updateAll(std::span<const JobObservation> jobs, forecast::Predictor& predictor, scheduler::Peers& peers,
               std::size_t threads) {
  shareWork(jobs.size(), threads, [&](std::size_t begin, std::size_t end) {
    for (const auto& job : jobs.subspan(begin, end - begin)) {
      takeIn(job);
      refit(*job.history, job.wishes, predictor);
    }
  });
  for (const auto& job : jobs) updatePeers(*job.history, predictor, peers);
}

}  // namespace slaq::loop
