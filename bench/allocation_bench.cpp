// Figure 10(c): the time of one allocation. The target is under 10 ms for 4,000 jobs on 16,000 cores.
#include <benchmark/benchmark.h>

#include <cmath>
#include <random>

#include "scheduler/allocation/fair_share.h"
#include "scheduler/policy/look_ahead.h"
#include "scheduler/policy/min_quality.h"
#include "schedule/price_search.h"
#include "scheduler/policy/total_quality.h"

namespace slaq {
namespace {

std::vector<Candidate> jobsAtAllStages(std::int64_t count) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform;
  std::vector<Candidate> jobs;
  for (std::int64_t i = 0; i < count; ++i) {
    Candidate job{.min = 1, .max = 256, .coreSecondsPerIteration = 0.1 + 10 * uniform(random)};
    if (i % 2 == 0) {
      job.curve = {
          .family = CurveFamily::Sublinear, .a = 0.001 * uniform(random), .b = uniform(random), .c = 1};
    } else {
      job.curve = {.family = CurveFamily::Superlinear, .amplitude = 1, .rate = uniform(random)};
    }
    job.iteration = 100 * uniform(random);
    job.first = job.curve.at(0);
    jobs.push_back(job);
  }
  return jobs;
}

void BM_Algorithm1(benchmark::State& state) {
  const auto jobs = jobsAtAllStages(state.range(0));
  const Cores capacity(1000 * state.range(1));
  for (auto _ : state) benchmark::DoNotOptimize(totalQuality(jobs, capacity, Seconds(3)));
}
BENCHMARK(BM_Algorithm1)
    ->Args({1000, 4000})
    ->Args({4000, 16000})
    ->Unit(benchmark::kMillisecond)
    ->ArgNames({"jobs", "cores"});

// The same jobs by curves that a price can be asked of, as the forecasts have them.
std::vector<Candidate> jobsWithFallingGains(std::int64_t count) {
  auto jobs = jobsAtAllStages(count);
  for (auto& job : jobs) job.curve.a = 0;
  return jobs;
}

void BM_Algorithm1OfFallingGains(benchmark::State& state) {
  const auto jobs = jobsWithFallingGains(state.range(0));
  const Cores capacity(1000 * state.range(1));
  for (auto _ : state) benchmark::DoNotOptimize(totalQuality(jobs, capacity, Seconds(3)));
}
BENCHMARK(BM_Algorithm1OfFallingGains)
    ->ArgsProduct({{1000, 2000, 4000}, {8000, 16000, 32000}})  // Figure 10(c)
    ->Args({100000, 1000000})
    ->Unit(benchmark::kMillisecond)
    ->ArgNames({"jobs", "cores"});

// Without a price to begin with.
void BM_PriceSearchCold(benchmark::State& state) {
  const auto jobs = jobsWithFallingGains(state.range(0));
  const Cores capacity(1000 * state.range(1));
  PriceSearch loaded;
  if (!loaded.load(jobs, Seconds(3))) state.SkipWithError("gains do not fall");
  Allocation allocation;
  for (auto _ : state) {
    loaded.forget();
    loaded.divide(capacity, allocation);
    benchmark::DoNotOptimize(allocation.data());
  }
}
BENCHMARK(BM_PriceSearchCold)
    ->ArgsProduct({{1000, 2000, 4000}, {8000, 16000, 32000}})  // Figure 10(c)
    ->Args({100000, 1000000})
    ->Unit(benchmark::kMillisecond)
    ->ArgNames({"jobs", "cores"});

// From the last price, while the capacity goes up and down by a percent.
void BM_PriceSearchWarm(benchmark::State& state) {
  const auto jobs = jobsWithFallingGains(state.range(0));
  PriceSearch loaded;
  if (!loaded.load(jobs, Seconds(3))) state.SkipWithError("gains do not fall");
  Allocation allocation;
  std::int64_t round = 0;
  for (auto _ : state) {
    loaded.divide(Cores(1000 * state.range(1) + 10 * state.range(1) * (++round % 2)), allocation);
    benchmark::DoNotOptimize(allocation.data());
  }
}
BENCHMARK(BM_PriceSearchWarm)
    ->ArgsProduct({{1000, 2000, 4000}, {8000, 16000, 32000}})  // Figure 10(c)
    ->Args({100000, 1000000})
    ->Unit(benchmark::kMillisecond)
    ->ArgNames({"jobs", "cores"});

void BM_PriceSearchLoad(benchmark::State& state) {
  const auto jobs = jobsWithFallingGains(state.range(0));
  PriceSearch search;
  for (auto _ : state) benchmark::DoNotOptimize(search.load(jobs, Seconds(3)));
}
BENCHMARK(BM_PriceSearchLoad)
    ->Args({4000, 16000})
    ->Args({100000, 1000000})
    ->Unit(benchmark::kMillisecond)
    ->ArgNames({"jobs", "cores"});

// Jobs as real trainings are: an iteration takes a core from a third of an epoch to many epochs, log-uniform.
std::vector<Candidate> jobsWithLongIterations(std::int64_t count) {
  auto jobs = jobsWithFallingGains(count);
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> logarithm(0, std::log(200));
  for (auto& job : jobs) job.coreSecondsPerIteration = std::exp(logarithm(random));
  return jobs;
}

// Look-ahead as a whole: it goes by whole iterations there, and exchanges.
void BM_LookAheadAtLongIterations(benchmark::State& state) {
  const auto jobs = jobsWithLongIterations(state.range(0));
  const Cores capacity(1000 * state.range(1));
  PriceSearch search;
  for (auto _ : state) {
    search.forget();
    benchmark::DoNotOptimize(lookAhead(search, jobs, capacity, Seconds(3)));
  }
}
BENCHMARK(BM_LookAheadAtLongIterations)
    ->Args({4000, 16000})
    ->Args({100000, 1000000})
    ->Unit(benchmark::kMillisecond)
    ->ArgNames({"jobs", "cores"});

void BM_MinQuality(benchmark::State& state) {
  const auto jobs = jobsAtAllStages(state.range(0));
  const Cores capacity(1000 * state.range(1));
  for (auto _ : state) benchmark::DoNotOptimize(minQuality(jobs, capacity, Seconds(30)));
}
BENCHMARK(BM_MinQuality)->Args({4000, 16000})->Unit(benchmark::kMillisecond)->ArgNames({"jobs", "cores"});

void BM_FairShare(benchmark::State& state) {
  const auto jobs = jobsAtAllStages(state.range(0));
  const Cores capacity(1000 * state.range(1));
  for (auto _ : state) benchmark::DoNotOptimize(fairShare(jobs, capacity));
}
BENCHMARK(BM_FairShare)->Args({4000, 16000})->Unit(benchmark::kMillisecond)->ArgNames({"jobs", "cores"});

}  // namespace
}  // namespace slaq
