// The jobs that benchmarks are about, and the price at which they are resized.
#pragma once

#include <cstdint>
#include <string>

#include "job/view.h"
#include "scheduler/policy/resize_price.h"

namespace slaq {

// No change is weighed.
inline constexpr scheduler::ResizePrice kFree{.horizon = Seconds(0)};

// With up to 256 workers of a core each, of which so many run. The order of keys is that of `i`.
inline JobView runningJob(std::size_t i, Workers workers) {
  JobView view;
  view.job.key = {"default", "job-" + std::to_string(100000 + i)};
  view.job.spec.workers.max = Workers(256);
  view.job.spec.workers.pod.containers = {{.name = "worker", .request = Cores(1000)}};
  view.workers = {.exists = true, .desired = workers, .active = workers, .ready = workers};
  return view;
}

}  // namespace slaq
