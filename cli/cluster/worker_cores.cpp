#include "cli/cluster/worker_cores.h"

namespace slaq::cli::cluster {

Cores workerCoresOf(const JobSpec& spec, const JobStatus& status) {
  const auto& decision = status.decision;
  if (decision && decision->workerCpu) return *decision->workerCpu;
  const Cores byTemplate = coresOf(spec.workers.pod);
  // The pods of a target are not known here, and a template without CPU requests is counted in another
  // resource. The decision has the amount of both.
  if (byTemplate > Cores() || !decision || decision->workers <= Workers(0)) return byTemplate;
  return Cores(decision->cores.value() / decision->workers.value());
}

}  // namespace slaq::cli::cluster
