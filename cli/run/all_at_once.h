// No scheduler: every job has all that it may from its arrival on, and the kernel divides the CPU. This
// is what people do without slaq, and therefore what slaq has to beat on one machine.
#pragma once

#include <vector>

#include "local/cluster/local_cluster.h"
#include "scheduler/policies/fair.h"

namespace slaq::cli::run {

// Divides as much as all jobs may have together, of which Fair gives each its most.
class AllAtOnce final : public scheduler::Fair {
 public:
  std::string_view name() const override { return "AllAtOnce"; }
  std::string explain(const scheduler::ExplainedJob&) const override { return "all that it may have"; }
  bool decidesOnEvents() const override { return true; }
};

const scheduler::Policy& allAtOnce();

// The cores of all jobs, each at its largest.
Cores mostOf(const std::vector<local::cluster::ArrivingJob>& jobs);

}  // namespace slaq::cli::run
