#include "loop/learning.h"

#include <algorithm>
#include <array>
#include <vector>

#include "base/prefetch.h"
#include "base/share_work.h"

namespace slaq {
namespace {

// A thread is woken in the time of some tens of forecasts.
constexpr std::size_t kJobsForAThread = 256;

// What learning reads of a job.
void prefetchFor(const Lesson& lesson, PrefetchQueue& ahead) {
  const JobHistory& history = *lesson.history;
  ahead.add(history.problem);
  if (!lesson.loss->samples.empty()) ahead.add(lesson.loss->samples.front());
  ahead.add(history.model, history.ensemble);
}

void takeIn(const Lesson& lesson) {
  JobHistory& history = *lesson.history;
  history.problem = lesson.loss->problem;
  for (const auto& sample : lesson.loss->samples) {
    learn(history, sample.time, sample.iteration, sample.loss, sample.initial, lesson.chiefFailures);
  }
  history.caughtUp = true;
}

void learnSome(std::span<const Lesson> lessons, const Predictor& predictor, PrefetchQueue& ahead) {
  std::array<Predictor::Asked, kTogether> asked;
  std::size_t count = 0;
  for (const auto& lesson : lessons) {
    ahead.load();
    takeIn(lesson);
    asked[count++] = {&lesson.history->series, lesson.wishes.loss, &lesson.history->ensemble};
  }
  predictor.prepare(std::span(asked).first(count), ahead);
  for (const auto& lesson : lessons) {
    ahead.load();
    refit(*lesson.history, lesson.wishes, predictor);
  }
}

}  // namespace

Lesson lessonFor(const JobView& view, const JobLoss& loss, JobHistory& history) {
  return {&loss, &history, wishesOf(view.job.spec), chiefFailuresOf(view)};
}

std::size_t threadsFor(std::size_t jobs) { return threadsFor(jobs, kJobsForAThread); }

void learnAll(std::span<const Lesson> lessons, Predictor& predictor, std::size_t threads) {
  // By whom the population is to be taught, found while their histories are in the cache.
  std::vector<char> teaches(lessons.size());  // each is one thread's to write
  shareWork(lessons.size(), threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; i += kTogether) {
      const auto some = [&](std::size_t from) {
        from = std::min(from, end);
        return lessons.subspan(from, std::min(kTogether, end - from));
      };
      for (const auto& lesson : some(i + 2 * kTogether)) prefetch(*lesson.loss);
      PrefetchQueue ahead;
      for (const auto& lesson : some(i + kTogether)) prefetchFor(lesson, ahead);
      learnSome(some(i), predictor, ahead);
      for (std::size_t j = i; j < std::min(i + kTogether, end); ++j)
        teaches[j] = hasToTeach(*lessons[j].history);
    }
  });
  for (std::size_t i = 0; i < lessons.size(); ++i) {
    if (teaches[i]) teach(predictor.population, *lessons[i].history);
  }
}

}  // namespace slaq
