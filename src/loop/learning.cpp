#include "loop/learning.h"

#include <algorithm>
#include <atomic>
#include <future>
#include <system_error>
#include <thread>
#include <vector>

#include "base/prefetch.h"

namespace slaq {
namespace {

// A thread starts in the time of some tens of forecasts.
constexpr std::size_t kJobsForAThread = 256;

// So many jobs at a time are taken by whoever is free.
constexpr std::size_t kBlock = 64;

void prefetchFor(const Lesson& lesson) {
  const JobSpec& spec = lesson.view->job.spec;
  prefetch(*lesson.history);
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

// What several threads do together.
class Learning {
 public:
  Learning(std::span<const Lesson> lessons, const Predictor& predictor)
      : lessons_(lessons), predictor_(predictor), teaches_(lessons.size()) {}

  // Returns when no job is left that nobody has taken.
  void work() {
    for (std::size_t i = taken_.fetch_add(kBlock); i < lessons_.size(); i = taken_.fetch_add(kBlock)) {
      learnBlock(i, std::min(i + kBlock, lessons_.size()));
    }
  }

  // By whom the population is to be taught, found while their histories are in the cache.
  bool teaches(std::size_t i) const { return teaches_[i] != 0; }

 private:
  void learnBlock(std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (i + 2 < end) prefetch(*lessons_[i + 2].loss);
      if (i + 1 < end) prefetchFor(lessons_[i + 1]);
      learnOne(lessons_[i], predictor_);
      teaches_[i] = hasToTeach(*lessons_[i].history);
    }
  }

  std::span<const Lesson> lessons_;
  const Predictor& predictor_;
  std::vector<char> teaches_;  // each is one thread's to write
  std::atomic<std::size_t> taken_ = 0;
};

// With fewer threads where the machine gives no more of them.
void share(Learning& learning, std::size_t threads) {
  std::vector<std::future<void>> others;  // waited for at the end
  try {
    while (others.size() + 1 < threads) {
      others.push_back(std::async(std::launch::async, [&learning] { learning.work(); }));
    }
  } catch (const std::system_error&) {
  }
  learning.work();
  for (auto& other : others) other.get();
}

}  // namespace

std::size_t threadsFor(std::size_t jobs) {
  const std::size_t cores = std::max(1u, std::thread::hardware_concurrency());
  return std::clamp<std::size_t>(jobs / kJobsForAThread, 1, cores);
}

void learnAll(std::span<const Lesson> lessons, Predictor& predictor, std::size_t threads) {
  Learning learning(lessons, predictor);
  share(learning, threads);
  for (std::size_t i = 0; i < lessons.size(); ++i) {
    if (learning.teaches(i)) teach(predictor.population, *lessons[i].history);
  }
}

}  // namespace slaq
