// The time of one decision by look-ahead, from what is known of the jobs to the actions, where resizes are
// free and where they have a price. Much of it is common to all policies: to look at each job, and to tell
// the reason of its size.
#include <benchmark/benchmark.h>

#include <cmath>
#include <random>

#include "forecast/predictors/registry.h"
#include "jobs.h"
#include "scheduler/decision/decide.h"
#include "scheduler/state/observe.h"

namespace slaq {
namespace {

constexpr int kCoresOfAJob = 4;
constexpr int kSamples = 12;

// Jobs at all stages of training, each on about its part of the cores.
class Jobs {
 public:
  // An iteration takes about so many core-seconds.
  Jobs(std::int64_t count, double coreSeconds) : coreSeconds_(coreSeconds) {
    views_.resize(static_cast<std::size_t>(count));
    histories_.resize(views_.size());
    for (std::size_t i = 0; i < views_.size(); ++i) train(i);
    snapshot_.now = now_;
    snapshot_.capacity = Cores(count * kCoresOfAJob * 1000);
    for (std::size_t i = 0; i < views_.size(); ++i) snapshot_.jobs.push_back({&views_[i], &histories_[i]});
  }

  const scheduler::Snapshot& snapshot() const { return snapshot_; }

 private:
  void train(std::size_t i) {
    std::uniform_real_distribution<double> uniform;
    scheduler::JobHistory& history = histories_[i];
    views_[i] = runningJob(i, Workers(std::uniform_int_distribution(1, 2 * kCoresOfAJob - 1)(random_)));
    observe(history, views_[i], now_ - Seconds(100));
    history.losses.caughtUp = true;
    const double rate = 0.02 + 0.2 * uniform(random_);
    const double cost = coreSeconds_ * (0.5 + uniform(random_));
    const double pace = views_[i].workers.ready.value() / cost;
    const double begun = 100 * uniform(random_);
    for (int s = 0; s < kSamples; ++s) {
      const double k = std::floor(begun + 8 * s * pace);
      learn(history, now_ - Seconds(8 * (kSamples - 1 - s)), Iterations(k), Loss(0.2 + 1 / (1 + rate * k)),
            Loss(1.2));
    }
    expect(history, views_[i].job.spec, *predictor_, {});
    refit(history, {}, *predictor_);
  }

  double coreSeconds_;
  Time now_{Seconds(1'000'000)};
  std::mt19937_64 random_{1};
  std::unique_ptr<forecast::Predictor> predictor_ =
      makePredictor(scheduler::Settings().predictor, forecast::defaultConstants());
  std::vector<JobView> views_;
  std::vector<scheduler::JobHistory> histories_;
  scheduler::Snapshot snapshot_;
};

void decideAbout(benchmark::State& state, double coreSeconds, const scheduler::ResizePrice& price) {
  const Jobs jobs(state.range(0), coreSeconds);
  const scheduler::Settings settings{.price = price};
  std::size_t actions = 0;
  for (auto _ : state) benchmark::DoNotOptimize(actions = decide(jobs.snapshot(), settings).actions.size());
  state.counters["actions"] = static_cast<double>(actions);
}

constexpr double kShort = 0.2;
constexpr double kLong = 50;  // as in docs/evaluation.md

void BM_DecisionOfShortIterations(benchmark::State& state) { decideAbout(state, kShort, kFree); }
void BM_DecisionOfLongIterations(benchmark::State& state) { decideAbout(state, kLong, kFree); }
void BM_DecisionWithAPrice(benchmark::State& state) { decideAbout(state, kShort, scheduler::ResizePrice()); }
void BM_DecisionOfLongIterationsWithAPrice(benchmark::State& state) {
  decideAbout(state, kLong, scheduler::ResizePrice());
}
BENCHMARK(BM_DecisionOfShortIterations)->Arg(1000)->Arg(4000)->Unit(benchmark::kMillisecond)->ArgName("jobs");
BENCHMARK(BM_DecisionOfLongIterations)->Arg(1000)->Arg(4000)->Unit(benchmark::kMillisecond)->ArgName("jobs");
BENCHMARK(BM_DecisionWithAPrice)->Arg(1000)->Arg(4000)->Unit(benchmark::kMillisecond)->ArgName("jobs");
BENCHMARK(BM_DecisionOfLongIterationsWithAPrice)
    ->Arg(1000)
    ->Arg(4000)
    ->Unit(benchmark::kMillisecond)
    ->ArgName("jobs");

}  // namespace
}  // namespace slaq
