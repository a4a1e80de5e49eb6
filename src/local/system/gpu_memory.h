// How much memory of a GPU there is, and who has it, by nvidia-smi.
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
  std::map<pid_t, Mebibytes> byProcess;  // of those that nvidia-smi tells of; in some containers it is none

  bool operator==(const GpuMemory&) const = default;
};

// What two queries of nvidia-smi print: "memory.total, memory.used" of one GPU, and a line "pid,
// used_gpu_memory" for each process. Malformed where the first is none. Lines such as "4711, [N/A]" are left
// out.
Result<GpuMemory> gpuMemoryFrom(const std::string& ofGpu, const std::string& ofProcesses);

// Asks nvidia-smi about the GPU with this index or UUID. It waits for five seconds at most for each of two
// queries. Transient where nvidia-smi tells nothing.
Result<GpuMemory> readGpuMemory(const std::string& gpu);

}  // namespace slaq::local::system
