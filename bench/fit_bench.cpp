// The time of fitting the curves of all jobs anew, on one thread. The target is under 200 ms for 4,000 jobs.
#include <benchmark/benchmark.h>

#include <cmath>
#include <random>

#include "curve/convergence_model.h"

namespace slaq {
namespace {

// Full series, half of each family, with a little noise.
std::vector<LossSeries> seriesOfJobs(std::int64_t count) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform;
  std::normal_distribution<double> noise(0, 1e-3);
  std::vector<LossSeries> all(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < all.size(); ++i) {
    const double rate = 0.02 + 0.2 * uniform(random);
    for (int k = 0; k < 64; ++k) {
      const double loss = i % 2 == 0 ? 1 / (1 + rate * k) : std::exp(-rate * k);
      all[i].add(Iterations(k), Loss(0.2 + loss * (1 + noise(random))));
    }
  }
  return all;
}

void BM_FitAllJobs(benchmark::State& state) {
  const auto jobs = seriesOfJobs(state.range(0));
  for (auto _ : state) {
    for (const auto& series : jobs) benchmark::DoNotOptimize(fitConvergence(series, Convergence::Auto));
  }
  state.counters["per_job"] =
      benchmark::Counter(static_cast<double>(state.range(0)),
                         benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}
BENCHMARK(BM_FitAllJobs)->Arg(4000)->Unit(benchmark::kMillisecond)->ArgName("jobs");

}  // namespace
}  // namespace slaq
