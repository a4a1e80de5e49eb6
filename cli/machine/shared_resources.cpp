#include "cli/machine/shared_resources.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <thread>

#include "base/figures.h"
#include "base/text.h"
#include "local/cluster/check_local.h"
#include "local/cpu/choose_limiter.h"
#include "local/cpu/starting_limiter.h"
#include "local/system/gpus.h"

namespace slaq::cli::machine {
namespace {

// The default number of cores for trainings that share a GPU. A training that waits for the GPU spins, so one
// more core lets one more training compute at the same time. Two cores were tried, with eight trainings on an
// H200; other numbers were not measured.
constexpr Cores kOfSharedGpu{2000};

auto invalid(const std::string& flag, const Error& error) {
  return failure(ErrorKind::Invalid, flag + ": " + error.message);
}

}  // namespace

void addSharingFlags(CLI::App& command, SharingFlags& flags) {
  command.add_option("--cores", flags.cores,
                     "cores that the jobs share, such as 2 or 1500m (all that it may use; with --share-gpu " +
                         toString(kOfSharedGpu) + ")");
  command.add_option("--gpus", flags.gpus,
                     "GPUs that the jobs share instead, such as 0,1, or all that nvidia-smi lists");
  command.add_flag(
      "--share-gpu", flags.shareGpu,
      "all jobs use one GPU at the same time: --gpus, or the first; as many as its memory can hold");
}

Cores usableCores() { return local::cpu::usableCores(); }

Cores allCores() {
  return Cores(1000) * Workers(std::max(1, static_cast<int>(std::thread::hardware_concurrency())));
}

std::string SharedResources::resource() const { return gpus.empty() ? "cpu" : local::cluster::kGpu; }

void SharedResources::set(local::cluster::LocalSettings& settings) const {
  settings.gpus = gpus;
  settings.sharedGpu = sharedGpu;
}

Result<SharedResources> sharedResources(const SharingFlags& flags, Cores machine) {
  if (!flags.cores.empty() && !flags.gpus.empty() && !flags.shareGpu)
    return failure(ErrorKind::Invalid, "--gpus can't be given together with --cores; leave one of them out");
  SharedResources shared{.capacity = flags.shareGpu ? std::min(kOfSharedGpu, machine) : machine};
  if (!flags.cores.empty()) {
    const auto cores = parseCores(flags.cores);
    if (!cores) return invalid("--cores", cores.error());
    shared.capacity = *cores;
  }
  if (flags.shareGpu) {
    auto gpu = local::system::sharedGpuId(flags.gpus);
    if (!gpu) return invalid(flags.gpus.empty() ? "--share-gpu" : "--gpus", gpu.error());
    shared.sharedGpu = std::move(*gpu);
  } else if (!flags.gpus.empty()) {
    auto gpus = local::system::gpuIds(flags.gpus);
    if (!gpus) return invalid("--gpus", gpus.error());
    shared.gpus = std::move(*gpus);
    shared.capacity = Cores(1000) * Workers(static_cast<int>(shared.gpus.size()));
  }
  return shared;
}

std::unique_ptr<local::cpu::CpuLimiter> limiterFor(const SharedResources& shared) {
  using local::cpu::chooseCpuLimiter;
  if (!shared.sharedGpu) return chooseCpuLimiter(shared.gpus.empty() ? shared.capacity : usableCores());
  // GPUs with different indexes get different CPUs, as long as there are enough. Programs start on the other
  // CPUs.
  const int count = static_cast<int>((shared.capacity.value() + 999) / 1000);
  const int first = numberFrom<int>(*shared.sharedGpu).value_or(0) * count;
  const Cores others = usableCores() - shared.capacity;
  return std::make_unique<local::cpu::StartingLimiter>(
      chooseCpuLimiter(others >= Cores(1000) ? others : usableCores(), first + count),
      chooseCpuLimiter(shared.capacity, first));
}

std::string sharedText(const SharedResources& shared, const local::cpu::CpuLimiter& limiter) {
  if (shared.gpus.empty())
    return (shared.sharedGpu ? "GPU " + *shared.sharedGpu + " by " : "") + coresText(shared.capacity) +
           "; the CPU is divided by " + limiter.means();
  std::string names;
  for (const auto& gpu : shared.gpus) names += (names.empty() ? "" : ", ") + gpu;
  return counted(static_cast<std::int64_t>(shared.gpus.size()), "GPU") + " (" + names + ")";
}

}  // namespace slaq::cli::machine
