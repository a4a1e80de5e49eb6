// The time of forecasting all jobs again by each predictor on one thread: of taking in one new pair of each
// job and fitting its curve. The target is under 5 us a job by the ensemble. What else an epoch does is in
// epoch_bench.cpp.
#include <benchmark/benchmark.h>

#include <cmath>
#include <random>

#include "forecast/predictors/registry.h"

namespace slaq {
namespace {

constexpr int kPairs = 64;

struct Job {
  forecast::LossSeries series;
  forecast::ForecastMemory memory;
};

// Half of each family, with a little noise.
double lossOf(std::size_t job, double rate, int k, double noise) {
  return 0.2 + (job % 2 == 0 ? 1 / (1 + rate * k) : std::exp(-rate * k)) * (1 + noise);
}

std::vector<Job> jobsSeen(std::int64_t count, const forecast::Predictor& predictor) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform;
  std::normal_distribution<double> noise(0, 1e-3);
  std::vector<Job> all(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < all.size(); ++i) {
    const double rate = 0.02 + 0.2 * uniform(random);
    for (int k = 0; k < kPairs; ++k)
      all[i].series.add(Iterations(k), Loss(lossOf(i, rate, k, noise(random))));
    predictor.forecast("", all[i].series, {}, all[i].memory);
  }
  return all;
}

void forecastAll(std::vector<Job>& jobs, int k, const forecast::Predictor& predictor) {
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    jobs[i].series.add(Iterations(k), Loss(lossOf(i, 0.05, k, 0)));
    benchmark::DoNotOptimize(predictor.forecast("", jobs[i].series, {}, jobs[i].memory));
  }
}

void forecastJobs(benchmark::State& state, std::string_view name) {
  const auto predictor = makePredictor(name, forecast::defaultConstants());
  auto jobs = jobsSeen(state.range(0), *predictor);
  int k = kPairs;
  for (auto _ : state) forecastAll(jobs, k++, *predictor);
  state.counters["per_job"] =
      benchmark::Counter(static_cast<double>(state.range(0)),
                         benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void BM_ForecastByStrawman(benchmark::State& state) { forecastJobs(state, "Strawman"); }
void BM_ForecastByPublished(benchmark::State& state) { forecastJobs(state, "Published"); }
void BM_ForecastByEnsemble(benchmark::State& state) { forecastJobs(state, "Ensemble"); }

void allSizes(benchmark::internal::Benchmark* bench) {
  bench->Arg(4000)->Arg(100000)->Unit(benchmark::kMillisecond)->ArgName("jobs")->UseRealTime();
}
BENCHMARK(BM_ForecastByStrawman)->Apply(allSizes);
BENCHMARK(BM_ForecastByPublished)->Apply(allSizes);
BENCHMARK(BM_ForecastByEnsemble)->Apply(allSizes);

}  // namespace
}  // namespace slaq
