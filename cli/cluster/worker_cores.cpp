#include "cli/cluster/worker_cores.h"

namespace slaq::cli::cluster {

Cores workerCoresOf(const JobSpec& spec, const JobStatus& status) {
  const auto& decision = status.decision;
  if (decision && decision->workerCpu) return *decision->workerCpu;
  // The decision counts in the resource that the controller divides, such as GPUs, and it knows the pods of a
  // target. The template has only the CPU.
  if (!decision || decision->workers <= Workers(0)) return coresOf(spec.workers.pod);
  return Cores(decision->cores.value() / decision->workers.value());
}

Cores driverCoresOf(const JobSpec& spec, const JobStatus& status) {
  // In CPU a worker counts at least what its template requests, and more with side-cars that the cluster
  // adds.
  const Cores requested = coresOf(spec.workers.pod);
  const bool isCpu = spec.workers.scaling == Scaling::CPU ||
                     (requested > Cores() && workerCoresOf(spec, status) >= requested);
  return spec.driver && isCpu ? coresOf(*spec.driver) : Cores();
}

}  // namespace slaq::cli::cluster
