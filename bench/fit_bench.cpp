// The time of forecasting all jobs anew by each predictor: of taking in one new pair of each job and fitting
// its curve. The target is under 200 ms for 4,000 jobs by the published curves, and under 1 us a job by the
// ensemble.
#include <benchmark/benchmark.h>

#include <cmath>
#include <random>
#include <thread>

#include "curve/predictor.h"

namespace slaq {
namespace {

constexpr int kPairs = 64;

struct Job {
  LossSeries series;
  Ensemble ensemble;
};

// Half of each family, with a little noise.
double lossOf(std::size_t job, double rate, int k, double noise) {
  return 0.2 + (job % 2 == 0 ? 1 / (1 + rate * k) : std::exp(-rate * k)) * (1 + noise);
}

std::vector<Job> jobsSeen(std::int64_t count, const Predictor& predictor) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform;
  std::normal_distribution<double> noise(0, 1e-3);
  std::vector<Job> all(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < all.size(); ++i) {
    const double rate = 0.02 + 0.2 * uniform(random);
    for (int k = 0; k < kPairs; ++k)
      all[i].series.add(Iterations(k), Loss(lossOf(i, rate, k, noise(random))));
    if (predictor.name == PredictorName::Ensemble) predictor.forecast(all[i].series, {}, all[i].ensemble);
  }
  return all;
}

// What one thread of several does.
void forecastSlice(std::vector<Job>& jobs, std::size_t begin, std::size_t end, int k,
                   const Predictor& predictor) {
  for (std::size_t i = begin; i < end; ++i) {
    jobs[i].series.add(Iterations(k), Loss(lossOf(i, 0.05, k, 0)));
    benchmark::DoNotOptimize(predictor.forecast(jobs[i].series, {}, jobs[i].ensemble));
  }
}

void forecastAll(std::vector<Job>& jobs, int k, std::size_t threads, const Predictor& predictor) {
  std::vector<std::jthread> others;
  for (std::size_t t = 1; t < threads; ++t) {
    others.emplace_back([&, t] {
      forecastSlice(jobs, jobs.size() * t / threads, jobs.size() * (t + 1) / threads, k, predictor);
    });
  }
  forecastSlice(jobs, 0, jobs.size() / threads, k, predictor);
}

void forecastJobs(benchmark::State& state, PredictorName name, std::size_t threads) {
  const Predictor predictor{name};
  auto jobs = jobsSeen(state.range(0), predictor);
  int k = kPairs;
  for (auto _ : state) forecastAll(jobs, k++, threads, predictor);
  state.counters["per_job"] =
      benchmark::Counter(static_cast<double>(state.range(0)),
                         benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void BM_ForecastByStrawman(benchmark::State& state) { forecastJobs(state, PredictorName::Strawman, 1); }
void BM_ForecastByPublished(benchmark::State& state) { forecastJobs(state, PredictorName::Published, 1); }
void BM_ForecastByEnsemble(benchmark::State& state) { forecastJobs(state, PredictorName::Ensemble, 1); }
void BM_ForecastByEnsembleOnTwoThreads(benchmark::State& state) {
  forecastJobs(state, PredictorName::Ensemble, 2);
}

void allSizes(benchmark::internal::Benchmark* bench) {
  bench->Arg(4000)->Arg(100000)->Unit(benchmark::kMillisecond)->ArgName("jobs")->UseRealTime();
}
BENCHMARK(BM_ForecastByStrawman)->Apply(allSizes);
BENCHMARK(BM_ForecastByPublished)->Apply(allSizes);
BENCHMARK(BM_ForecastByEnsemble)->Apply(allSizes);
BENCHMARK(BM_ForecastByEnsembleOnTwoThreads)->Apply(allSizes);

}  // namespace
}  // namespace slaq
