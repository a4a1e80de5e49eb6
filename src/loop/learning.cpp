#include "loop/learning.h"

#include <vector>

#include "base/prefetch.h"
#include "base/share_work.h"

namespace slaq {
namespace {

// A thread starts in the time of some tens of forecasts.
constexpr std::size_t kJobsForAThread = 256;

void prefetchFor(const Lesson& lesson) {
  const JobSpec& spec = lesson.view->job.spec;
  prefetch(*lesson.history);
  prefetch(spec.driver);
  prefetch(spec.loss);
  prefetch(spec.stop);
  prefetch(lesson.view->workers.failures);
  if (!lesson.loss->samples.empty()) prefetch(lesson.loss->samples.front());
}

void learnOne(const Lesson& lesson, const Predictor& predictor) {
  JobHistory& history = *lesson.history;
  const JobSpec& spec = lesson.view->job.spec;
  history.problem = lesson.loss->problem;
  for (const auto& sample : lesson.loss->samples) {
    learn(history, sample.time, sample.iteration, sample.loss, sample.initial, chiefFailuresOf(*lesson.view));
  }
  history.caughtUp = true;
  refit(history, spec.loss, spec.stop, predictor);
}

}  // namespace

std::size_t threadsFor(std::size_t jobs) { return threadsFor(jobs, kJobsForAThread); }

void learnAll(std::span<const Lesson> lessons, Predictor& predictor, std::size_t threads) {
  // By whom the population is to be taught, found while their histories are in the cache.
  std::vector<char> teaches(lessons.size());  // each is one thread's to write
  shareWork(lessons.size(), threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (i + 2 < end) prefetch(*lessons[i + 2].loss);
      if (i + 1 < end) prefetchFor(lessons[i + 1]);
      learnOne(lessons[i], predictor);
      teaches[i] = hasToTeach(*lessons[i].history);
    }
  });
  for (std::size_t i = 0; i < lessons.size(); ++i) {
    if (teaches[i]) teach(predictor.population, *lessons[i].history);
  }
}

}  // namespace slaq
