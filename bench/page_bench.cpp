// The cost of the page of a thousand running jobs in each epoch, with no browser and with up to a hundred.
#include <benchmark/benchmark.h>

#include "jobs.h"
#include "page/live_document.h"

namespace slaq {
namespace {

constexpr std::size_t kJobs = 1000;

// The jobs train, and every tenth of them changes its size in an epoch.
class Training {
 public:
  explicit Training(page::LiveDocument& document) : document_(document) {
    document_.beginRun("LookAhead");
    for (std::size_t i = 0; i < kJobs; ++i) {
      views_.push_back(runningJob(i, Workers(4)));
      statuses_.emplace_back();
      statuses_.back().state = JobState::Running;
    }
  }

  void pass() {
    now_ = now_ + Seconds(3);
    ++epoch_;
    page::Moment moment{.time = now_, .capacity = Cores(4'000'000), .price = 1e-3, .jobs = {}};
    for (std::size_t i = 0; i < kJobs; ++i) {
      JobStatus& status = statuses_[i];
      const Workers workers(4 + ((epoch_ + static_cast<int>(i)) / 10) % 2);
      status.desired = status.ready = workers;
      status.progress = Progress{.iteration = Iterations(5.0 * epoch_),
                                 .loss = Loss(1.0 / epoch_),
                                 .level = {},
                                 .remaining = {},
                                 .convergence = {}};
      moment.jobs.push_back({.key = views_[i].job.key,
                             .created = Time(),
                             .most = Workers(256),
                             .ready = workers,
                             .cores = Cores(1000) * workers,
                             .status = status});
    }
    document_.add(moment);
  }

 private:
  page::LiveDocument& document_;
  std::vector<JobView> views_;
  std::vector<JobStatus> statuses_;
  Time now_;
  int epoch_ = 0;
};

void BM_PageOf1000Jobs(benchmark::State& state) {
  page::LiveDocument document("bench", "cpu");
  Training training(document);
  std::vector<page::Cursor> readers(static_cast<std::size_t>(state.range(0)));
  training.pass();
  for (auto& each : readers) benchmark::DoNotOptimize(document.after(each));  // all of it, once
  for (auto _ : state) {
    training.pass();
    for (auto& each : readers) benchmark::DoNotOptimize(document.after(each));
  }
}
BENCHMARK(BM_PageOf1000Jobs)->Arg(0)->Arg(1)->Arg(100)->ArgName("browsers")->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace slaq
