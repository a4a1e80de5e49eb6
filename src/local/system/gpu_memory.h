// The total memory of a GPU, and the processes that use it, as nvidia-smi reports them.
#pragma once

#include <sys/types.h>

#include <map>
#include <string>

#include "base/result.h"
#include "base/units.h"

namespace slaq::local::system {

struct GpuMemory {
  Mebibytes total;
  Mebibytes used;                        // by all processes of the machine, and by the driver itself
  std::map<pid_t, Mebibytes> byProcess;  // the processes that nvidia-smi reports; none in some containers

  bool operator==(const GpuMemory&) const = default;
};

// Reads what two queries of nvidia-smi print: "memory.total, memory.used" of one GPU, and a line "pid,
// used_gpu_memory" for each process. Malformed where the first text is not of this form. Lines such as "4711,
// [N/A]" are left out.
Result<GpuMemory> gpuMemoryFrom(const std::string& ofGpu, const std::string& ofProcesses);

// Asks nvidia-smi about the GPU with this index or UUID. Each of two queries takes at most five seconds.
// Transient if nvidia-smi gives no figures.
Result<GpuMemory> readGpuMemory(const std::string& gpu);

}  // namespace slaq::local::system
