// The sizes that a job can have, counted in units. A unit is one worker or, where the job scales by CPU, a
// quantum of cores for each of its workers (section 5). Policies give out units and know no more.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "job/view.h"

namespace slaq::scheduler {

// By so much the cores of a worker go up and down where a job scales by CPU.
inline constexpr Cores kCpuQuantum{50};

struct Size {
  Workers workers;
  std::optional<Cores> cpu;  // of each worker, where the job scales by CPU

  bool operator==(const Size&) const = default;
};

// From `min` to `max` units; n units cost offset + n * perUnit cores.
struct Sizes {
  std::int32_t min = 1;
  std::int32_t max = 1;
  Cores perUnit;
  Cores offset;
  Workers team;                           // how many workers there are always, with scaling by CPU; else 0
  Cores first;                            // the cores of each of them with one unit
  std::span<const Workers> allowed = {};  // the only numbers of workers; empty: all. The job's own

  Cores coresAt(std::int32_t units) const { return offset + perUnit * units; }
  Size at(std::int32_t units) const;
  // The fewest units with which each worker has at least `cpu` cores. REQUIRES: a team.
  std::int32_t unitsWith(Cores cpu) const;
};

// What the owner allows: a pinned number of workers is the only one; a reserved job has one size.
Sizes sizesOf(const JobSpec& spec);
// As long as it runs: its pin may be waived, its reservation not.
Sizes leastSizesOf(const JobSpec& spec);

// Numbers of workers to compare a job by, rising: those that it is allowed, or some of them from 1, 2, 3, 4,
// 6, 8, 12 on with the last, up to `most`. Empty where all are larger.
std::vector<Workers> sizesToCompare(const WorkersSpec& workers, double most);

// The cores that the workers of a size request together.
Cores coresOf(const JobSpec& spec, const Size& size);
// The cores of the driver's pod; none when worker 0 is the chief.
Cores driverCoresOf(const JobSpec& spec);
// Those of the driver and of the largest size together.
Cores mostCoresOf(const JobSpec& spec);

// Its driver's pod exists, or will in a moment, or is on its way out.
bool driverStands(const JobView& view);

// The size that the cluster was last told of; no workers when it does not run.
Size heldSizeOf(const JobView& view);
// The cores of each worker that were last asked for.
Cores askedCpuOf(const JobView& view);
// The cores that all pods of the job hold now, those on their way in and out included.
Cores coresInUse(const JobView& view);

}  // namespace slaq::scheduler
