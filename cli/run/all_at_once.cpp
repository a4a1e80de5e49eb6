#include "cli/run/all_at_once.h"

#include "scheduler/state/sizes.h"

namespace slaq::cli::run {

const scheduler::Policy& allAtOnce() {
  static const AllAtOnce policy;
  return policy;
}

Cores mostOf(const std::vector<local::cluster::ArrivingJob>& jobs) {
  Cores sum;
  for (const auto& [job, after] : jobs) sum += scheduler::mostCoresOf(job.spec);
  return sum;
}

}  // namespace slaq::cli::run
