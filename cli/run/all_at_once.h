// No scheduler: every job has its most cores from its arrival on, and the kernel divides the CPU. People do
// this without slaq, so slaq must be better than this on one machine.
#pragma once

#include <vector>

#include "local/cluster/local_cluster.h"
#include "scheduler/policies/fair.h"

namespace slaq::cli::run {

// Divides the sum of all jobs' most cores, of which Fair gives each job its most.
class AllAtOnce final : public scheduler::Fair {
 public:
  std::string_view name() const override { return "AllAtOnce"; }
  std::string explain(const scheduler::ExplainedJob&) const override { return "all that it may have"; }
  bool decidesOnEvents() const override { return true; }
};

const scheduler::Policy& allAtOnce();

// The sum of all jobs' cores, each at its largest.
Cores mostOf(const std::vector<local::cluster::ArrivingJob>& jobs);

}  // namespace slaq::cli::run
