// Jobs on one machine share its cores, or some of its GPUs, or one GPU that all of them use at the same time.
// The flags of slaq run and slaq serve choose one of the three.
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

// The values of the flags.
struct SharingFlags {
  std::string cores;  // a quantity; empty: all cores of this machine
  std::string gpus;   // "0,1" or "all": the GPUs that jobs share instead of cores; with shareGpu the only GPU
  bool shareGpu = false;  // all jobs use one GPU at the same time
};

struct SharedResources {
  Cores capacity;
  std::vector<std::string> gpus = {};         // GPUs in which capacity is counted; none: cores
  std::optional<std::string> sharedGpu = {};  // used by all jobs, which share its time by sharing the cores

  // Returns the name of the resource in which capacity is counted.
  std::string resource() const;
  // Puts the GPUs into the settings of a cluster.
  void set(local::cluster::LocalSettings& settings) const;
};

// Adds the flags --cores, --gpus and --share-gpu.
void addSharingFlags(CLI::App& command, SharingFlags& flags);

// The cores that this program may use.
Cores usableCores();
// The cores of the machine, which another program may use.
Cores allCores();

// Reads the flags. Without --cores the jobs share `machine` cores. Invalid, with the name of the flag, if one
// cannot be read or two exclude each other.
Result<SharedResources> sharedResources(const SharingFlags& flags, Cores machine);

// Makes the limiter that divides the CPU between these jobs.
std::unique_ptr<local::cpu::CpuLimiter> limiterFor(const SharedResources& shared);
// Describes for people what is shared: "2 cores; the CPU is divided by cgroup v2 at ...", "2 GPUs (0, 1)", or
// "GPU 0 by 2 cores; ...".
std::string sharedText(const SharedResources& shared, const local::cpu::CpuLimiter& limiter);

}  // namespace slaq::cli::machine
