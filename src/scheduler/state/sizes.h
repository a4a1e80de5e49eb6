// The sizes that a job can have, counted in units. A unit is one worker or, where the job scales by CPU, a
// quantum of cores for each of its workers (section 5). Policies give out units and know no more about sizes.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "job/view.h"

namespace slaq::scheduler {

struct Size {
  Workers workers;
  std::optional<Cores> cpu;  // of each worker, where the job scales by CPU

  bool operator==(const Size&) const = default;
};

// A job may have `min` to `max` units; n units cost offset + n * perUnit cores.
struct Sizes {
  std::int32_t min = 1;
  std::int32_t max = 1;
  Cores perUnit;
  Cores offset;
  Workers team;                           // the fixed number of workers of a job that scales by CPU; else 0
  Cores first;                            // the cores of each worker with one unit
  std::span<const Workers> allowed = {};  // the only numbers of workers; empty: all. The job owns them

  Cores coresAt(std::int32_t units) const { return offset + perUnit * units; }
  Size at(std::int32_t units) const;
  // The fewest units with which each worker has at least `cpu` cores. REQUIRES: a team.
  std::int32_t unitsWith(Cores cpu) const;
};

// The owner fixed the number of workers. A pin of a job that scales by CPU fixes its team only.
bool hasPinnedWorkers(const JobSpec& spec);

// The sizes that the owner allows. A pinned number of workers is the only one; a reserved job has one size.
Sizes sizesOf(const JobSpec& spec);
// The sizes that a job may have as long as it runs: its pin may be waived, its reservation not.
Sizes leastSizesOf(const JobSpec& spec);

// Numbers of workers by which to compare a job, rising and at most `most`. They are its allowed sizes or,
// where all are allowed, its minimum, its maximum and 1, 2, 3, 4, 6, 8, 12 and so on between them. Empty
// where all are larger.
std::vector<Workers> sizesToCompare(const WorkersSpec& workers, double most);

// The cores that the workers of a size request together.
Cores coresOf(const JobSpec& spec, const Size& size);
// The cores of the driver's pod; none when worker 0 is the chief.
Cores driverCoresOf(const JobSpec& spec);
// The cores of the driver and of the largest size together.
Cores mostCoresOf(const JobSpec& spec);

// The driver's pod exists, is about to exist, or is terminating.
bool driverStands(const JobView& view);

// The size that was last requested from the cluster; no workers when the job does not run.
Size heldSizeOf(const JobView& view);
// The cores of each worker that were last requested.
Cores askedCpuOf(const JobView& view);
// The cores that all pods of the job hold now, including pods that are starting or terminating.
Cores coresInUse(const JobView& view);

}  // namespace slaq::scheduler
