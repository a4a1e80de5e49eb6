// Figure 10(c): the time of one allocation. The target is under 10 ms for 4,000 jobs on 16,000 cores.
#include <benchmark/benchmark.h>

#include <random>

#include "schedule/fair_share.h"
#include "schedule/min_quality.h"
#include "schedule/total_quality.h"

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
