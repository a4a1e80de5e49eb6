#include "local/system/gpu_memory.h"

#include <sstream>
#include <vector>

#include "base/text.h"
#include "local/system/command_output.h"

namespace slaq::local::system {
namespace {

// A driver that hangs must not hang slaq.
constexpr const char* kQuery = "timeout -k 1 5 nvidia-smi --format=csv,noheader,nounits -i ";

// The numbers of a line such as "4711, 512"; empty if it is anything else.
std::vector<std::int64_t> numbersOf(const std::string& line) {
  std::vector<std::int64_t> numbers;
  for (const auto& part : partsOf(line, ',')) {
    const auto number = numberFrom<std::int64_t>(part);
    if (!number) return {};
    numbers.push_back(*number);
  }
  return numbers;
}

}  // namespace

Result<GpuMemory> gpuMemoryFrom(const std::string& ofGpu, const std::string& ofProcesses) {
  const auto amounts = numbersOf(ofGpu.substr(0, ofGpu.find('\n')));
  if (amounts.size() != 2 || amounts[0] <= 0)
    return failure(ErrorKind::Malformed, "nvidia-smi does not tell the memory of the GPU");
  GpuMemory memory{.total = Mebibytes(amounts[0]), .used = Mebibytes(amounts[1]), .byProcess = {}};
  std::istringstream in(ofProcesses);
  for (std::string line; std::getline(in, line);) {
    const auto process = numbersOf(line);
    if (process.size() == 2) memory.byProcess[static_cast<pid_t>(process[0])] += Mebibytes(process[1]);
  }
  return memory;
}

Result<GpuMemory> readGpuMemory(const std::string& gpu) {
  auto memory =
      gpuMemoryFrom(outputOf(kQuery + gpu + " --query-gpu=memory.total,memory.used 2>/dev/null"),
                    outputOf(kQuery + gpu + " --query-compute-apps=pid,used_gpu_memory 2>/dev/null"));
  return memory ? memory : failure(ErrorKind::Transient, memory.error().message + " " + gpu);
}

}  // namespace slaq::local::system
