// What the jobs of this machine share: its cores, some of its GPUs, or one GPU together.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/units.h"
#include "local/cluster/local_cluster.h"
#include "local/cpu/cpu_limiter.h"

namespace CLI {
class App;
}

namespace slaq::cli::machine {

// The words of a command line.
struct SharingFlags {
  std::string cores;      // a quantity; empty: this machine's
  std::string gpus;       // "0,1" or "all": what the jobs share instead of cores; with shareGpu the one GPU
  bool shareGpu = false;  // all jobs use one GPU at the same time
};

struct SharedResources {
  Cores capacity;
  std::vector<std::string> gpus = {};         // what capacity is counted in; none: cores
  std::optional<std::string> sharedGpu = {};  // all jobs use it, and share its time by sharing the cores

  // What capacity is counted in.
  std::string resource() const;
  // Tells a cluster of this machine what its jobs share.
  void set(local::cluster::LocalSettings& settings) const;
};

// --cores, --gpus and --share-gpu.
void addSharingFlags(CLI::App& command, SharingFlags& flags);

// All cores of this machine.
Cores wholeMachine();

// Invalid with the name of the flag. `machine` is what there is without --cores.
Result<SharedResources> sharedResources(const SharingFlags& flags, Cores machine);

// What divides the CPU where jobs share this.
std::unique_ptr<local::cpu::CpuLimiter> limiterFor(const SharedResources& shared);
// "2 cores; the CPU is divided by cgroup v2 at ...", or "2 GPUs (0, 1)".
std::string sharedText(const SharedResources& shared, const local::cpu::CpuLimiter& limiter);

}  // namespace slaq::cli::machine
