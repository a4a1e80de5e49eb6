#include "scheduler/state/sizes.h"

#include <algorithm>
#include <set>

#include "scheduler/constants.h"

namespace slaq::scheduler {
namespace {

Sizes sizesOfTeam(const CpuBounds& cpu, Workers team) {
  const auto steps = (cpu.max - cpu.min).value() / kCpuQuantum.value();
  return {.min = 1,
          .max = static_cast<std::int32_t>(1 + steps),
          .perUnit = kCpuQuantum * team,
          .offset = (cpu.min - kCpuQuantum) * team,
          .team = team,
          .first = cpu.min};
}

Sizes sizesBetween(const JobSpec& spec, Workers least, Workers most) {
  Sizes sizes{.min = least.value(),
              .max = most.value(),
              .perUnit = coresOf(spec.workers.pod),
              .offset = {},
              .team = {},
              .first = {},
              .allowed = spec.workers.sizes};
  if (spec.workers.scaling == Scaling::CPU) sizes = sizesOfTeam(spec.workers.cpu, least);
  if (spec.scheduling == Scheduling::Reserved) sizes.min = sizes.max;
  return sizes;
}

}  // namespace

Size Sizes::at(std::int32_t units) const {
  if (team == Workers(0)) return {Workers(units), {}};
  return {team, first + kCpuQuantum * (units - 1)};
}

std::int32_t Sizes::unitsWith(Cores cpu) const {
  const auto above = std::max<std::int64_t>(0, (cpu - first).value());
  return static_cast<std::int32_t>(1 + (above + kCpuQuantum.value() - 1) / kCpuQuantum.value());
}

bool hasPinnedWorkers(const JobSpec& spec) {
  return isPinned(spec) && spec.workers.scaling == Scaling::Replicas;
}

Sizes sizesOf(const JobSpec& spec) {
  const WorkersSpec& workers = spec.workers;
  if (isPinned(spec)) return sizesBetween(spec, *spec.replicas, *spec.replicas);
  return sizesBetween(spec, workers.min, workers.max);
}

Sizes leastSizesOf(const JobSpec& spec) {
  if (spec.scheduling == Scheduling::Reserved) return sizesOf(spec);
  return sizesBetween(spec, spec.workers.min, spec.workers.max);
}

std::vector<Workers> sizesToCompare(const WorkersSpec& workers, double most) {
  std::set<Workers> sizes(workers.sizes.begin(), workers.sizes.end());
  if (sizes.empty()) {
    sizes = {workers.min, workers.max};
    for (std::int64_t size = 1; size <= workers.max.value(); size *= 2) {
      for (const std::int64_t each : {size, size + size / 2})
        sizes.insert(std::clamp(Workers(static_cast<std::int32_t>(each)), workers.min, workers.max));
    }
  }
  std::vector<Workers> all(sizes.begin(), sizes.end());
  std::erase_if(all, [&](Workers size) { return size.value() > most; });
  return all;
}

Cores coresOf(const JobSpec& spec, const Size& size) {
  return size.cpu.value_or(coresOf(spec.workers.pod)) * size.workers;
}

Cores driverCoresOf(const JobSpec& spec) { return spec.driver ? coresOf(*spec.driver) : Cores(); }

bool driverStands(const JobView& view) {
  return view.driver.active || view.driver.terminating ||
         (view.driver.exists && !view.driver.suspended && !view.driver.succeeded);
}

Cores mostCoresOf(const JobSpec& spec) {
  const Sizes sizes = sizesOf(spec);
  return driverCoresOf(spec) + sizes.coresAt(sizes.max);
}

Size heldSizeOf(const JobView& view) {
  const bool byCpu = view.job.spec.workers.scaling == Scaling::CPU;
  return {runs(view.workers) ? view.workers.desired : Workers(0),
          byCpu && runs(view.workers) ? std::optional(askedCpuOf(view)) : std::nullopt};
}

Cores askedCpuOf(const JobView& view) {
  return view.workers.cpu ? view.workers.cpu->asked : coresOf(view.job.spec.workers.pod);
}

Cores coresInUse(const JobView& view) {
  const auto& workers = view.workers;
  Workers pods = workers.active + workers.terminating;
  if (runs(workers)) pods = std::max(pods, workers.desired);
  Cores held = askedCpuOf(view) * pods;
  if (workers.cpu) held = std::max(held, workers.cpu->held);
  return held + (driverStands(view) ? driverCoresOf(view.job.spec) : Cores());
}

}  // namespace slaq::scheduler
