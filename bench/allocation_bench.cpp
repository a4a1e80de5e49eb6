// Figure 10(c): the time of one allocation.
#include <benchmark/benchmark.h>

#include <cmath>
#include <random>

#include "jobs.h"
#include "scheduler/allocation/fair_share.h"
#include "scheduler/policies/look_ahead.h"
#include "scheduler/policies/min_quality.h"
#include "scheduler/policies/total_quality.h"

namespace slaq {
namespace {

std::vector<scheduler::Demand> jobsAtAllStages(std::int64_t count) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform;
  std::vector<scheduler::Demand> jobs;
  for (std::int64_t i = 0; i < count; ++i) {
    scheduler::Demand job{
        .min = 1, .max = 256, .speed = forecast::SpeedCurve::parallel(0.1 + 10 * uniform(random))};
    if (i % 2 == 0) {
      job.curve = {.family = forecast::CurveFamily::Sublinear,
                   .a = 0.001 * uniform(random),
                   .b = uniform(random),
                   .c = 1};
    } else {
      job.curve = {.family = forecast::CurveFamily::Superlinear, .amplitude = 1, .rate = uniform(random)};
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

// The same jobs with gains that fall with every unit, as the forecasts have them.
std::vector<scheduler::Demand> jobsWithFallingGains(std::int64_t count) {
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

// As LookAhead allocates: where resizes are free, and with the default price, when all jobs run.
void allocate(benchmark::State& state, std::vector<scheduler::Demand> jobs,
              const scheduler::ResizePrice& price) {
  const Cores capacity(1000 * state.range(1));
  if (!isFree(price)) {
    for (auto& job : jobs) {
      job.held = static_cast<std::int32_t>(state.range(1) / state.range(0));
      job.growPause = price.grow.count();
    }
  }
  const scheduler::UtilityRule rule = lookAheadUtility(Seconds(3), price);
  for (auto _ : state) benchmark::DoNotOptimize(allocateByPrice(jobs, capacity, rule));
}

void BM_AllocateByPrice(benchmark::State& state) {
  allocate(state, jobsWithFallingGains(state.range(0)), kFree);
}
BENCHMARK(BM_AllocateByPrice)
    ->ArgsProduct({{1000, 2000, 4000}, {8000, 16000, 32000}})  // Figure 10(c)
    ->Args({100000, 1000000})
    ->Unit(benchmark::kMillisecond)
    ->ArgNames({"jobs", "cores"})
    ->UseRealTime();

void BM_AllocateByPriceWherePausesCount(benchmark::State& state) {
  allocate(state, jobsWithFallingGains(state.range(0)), scheduler::ResizePrice());
}
BENCHMARK(BM_AllocateByPriceWherePausesCount)
    ->Args({4000, 16000})
    ->Args({100000, 1000000})
    ->Unit(benchmark::kMillisecond)
    ->ArgNames({"jobs", "cores"})
    ->UseRealTime();

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
