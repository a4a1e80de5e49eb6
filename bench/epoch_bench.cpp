// The time of a decision with its forecasts, under production's default settings: taking in what all jobs
// showed since the last epoch, forecasting each, and deciding. The targets are 30 ms for 4,000 jobs on 16,000
// cores, which is a hundredth of an epoch, and 1 s for 100,000 jobs on 1,000,000 cores, both on two threads.
#include <benchmark/benchmark.h>

#include <cmath>
#include <map>
#include <memory>
#include <random>

#include "forecast/predictors/ensemble_predictor.h"
#include "jobs.h"
#include "loop/learning.h"
#include "scheduler/decision/decide.h"
#include "scheduler/state/observe.h"

namespace slaq {
namespace {

constexpr Seconds kEpoch{3};
constexpr int kSeen = 70;    // epochs before the first that counts: histories are full
constexpr double kEach = 5;  // iterations in an epoch
constexpr Workers kHeld{1};

// The jobs of a cluster as an epoch finds them. Half fall like 1/k, half exponentially, with a little noise.
class ManyJobs {
 public:
  ManyJobs(std::int64_t jobs, std::int64_t cores) {
    std::uniform_real_distribution<double> rate(0.004, 0.04);
    for (std::int64_t i = 0; i < jobs; ++i) add(static_cast<std::size_t>(i), rate(random_));
    settings_.epoch = kEpoch;
    snapshot_.capacity = Cores(1000 * cores);
    for (std::size_t i = 0; i < views_.size(); ++i) {
      scheduler::JobHistory& history = histories_[views_[i].job.key];
      observations_.push_back(loop::observationOf(views_[i], losses_[i], history));
      snapshot_.jobs.push_back({&views_[i], &history});
    }
    for (int i = 0; i < kSeen; ++i) {
      pass();
      learn(loop::threadsFor(observations_.size()));
    }
  }

  // Until the next epoch.
  void pass() {
    now_ = now_ + kEpoch;
    iteration_ += kEach;
    std::normal_distribution<double> noise(0, 1e-3);
    for (std::size_t i = 0; i < losses_.size(); ++i) {
      const double fall = rates_[i] * iteration_;
      const double level = (i % 2 == 0 ? 1 / (1 + fall) : std::exp(-fall)) * (1 + noise(random_));
      losses_[i].samples = {{now_, Iterations(iteration_), Loss(0.2 + level)}};
    }
    for (std::size_t i = 0; i < views_.size(); ++i) observe(*observations_[i].history, views_[i], now_);
    snapshot_.now = now_;
  }

  void learn(std::size_t threads) { updateAll(observations_, predictor_, peers_, threads); }

  scheduler::Plan decide() const { return scheduler::decide(snapshot_, settings_); }

 private:
  void add(std::size_t i, double rate) {
    views_.push_back(runningJob(i, kHeld));
    losses_.emplace_back();
    rates_.push_back(rate);
  }

  std::mt19937_64 random_{1};
  std::vector<JobView> views_;
  std::vector<JobLoss> losses_;
  std::vector<double> rates_;
  std::map<JobKey, scheduler::JobHistory> histories_;
  std::vector<loop::JobObservation> observations_;
  forecast::EnsemblePredictor predictor_{forecast::defaultConstants()};
  scheduler::Peers peers_;
  scheduler::Settings settings_;
  scheduler::Snapshot snapshot_;
  Time now_{Seconds(1'000'000)};
  double iteration_ = 0;
};

// Many jobs take long to make: the last ones are kept for the next row.
ManyJobs& jobsOf(const benchmark::State& state) {
  static std::pair<std::int64_t, std::unique_ptr<ManyJobs>> kept;
  if (kept.first != state.range(0)) {
    kept.second.reset();
    kept = {state.range(0), std::make_unique<ManyJobs>(state.range(0), state.range(1))};
  }
  return *kept.second;
}

void runForecasts(benchmark::State& state, std::size_t threads, bool decides) {
  ManyJobs& jobs = jobsOf(state);
  for (auto _ : state) {
    state.PauseTiming();
    jobs.pass();
    state.ResumeTiming();
    jobs.learn(threads);
    if (decides) benchmark::DoNotOptimize(jobs.decide());
  }
}

// After forecasts that are not counted, so that what the decision reads lies where an epoch finds it.
void BM_Decide(benchmark::State& state) {
  ManyJobs& jobs = jobsOf(state);
  for (auto _ : state) {
    state.PauseTiming();
    jobs.pass();
    jobs.learn(2);
    state.ResumeTiming();
    benchmark::DoNotOptimize(jobs.decide());
  }
}

void BM_ForecastOnOneThread(benchmark::State& state) { runForecasts(state, 1, false); }
void BM_ForecastOnTwoThreads(benchmark::State& state) { runForecasts(state, 2, false); }
void BM_ForecastAndDecide(benchmark::State& state) { runForecasts(state, 2, true); }

constexpr std::int64_t kSizes[][2] = {{4000, 16000}, {100000, 1000000}};

// The rows are ordered by size, so that the jobs of each size are made once.
const bool kRegistered = [] {
  const std::pair<const char*, void (*)(benchmark::State&)> rows[] = {
      {"BM_ForecastOnOneThread", BM_ForecastOnOneThread},
      {"BM_ForecastOnTwoThreads", BM_ForecastOnTwoThreads},
      {"BM_Decide", BM_Decide},
      {"BM_ForecastAndDecide", BM_ForecastAndDecide}};
  for (const auto& [jobs, cores] : kSizes) {
    for (const auto& [name, row] : rows) {
      benchmark::RegisterBenchmark(name, row)
          ->Args({jobs, cores})
          ->ArgNames({"jobs", "cores"})
          ->Unit(benchmark::kMillisecond)
          ->UseRealTime();
    }
  }
  return true;
}();

}  // namespace
}  // namespace slaq
