"""What a workload says of a job, measured in a run of its own.

As many cores are busy as in the run together: neighbours use those that the job does not have. They come and go, so
that the job goes through all sizes that it is likely to have. In between, iterations lie on a line; where the lines
of two sizes are apart when the one becomes the other, that is what the change cost.
"""
import statistics
import sys

from agreeing import jobs, real

STEP = 9  # s: one of them comes after the other
SETTLING = 3  # s after a change that are left out where rates are measured
FEWEST = 12  # samples of a rate
# Workers of each neighbour and the seconds that it lasts; the job comes after the first.
NEIGHBOURS = [(2, 87), (2, 33), (1, 39), (1, 30)]
SIZES = [0, 6, 4, 3, 2]  # of the job as they come; then it grows again


class Phase:
    """Of so many workers, from one change to the next."""

    def __init__(self, workers, start, end, samples):
        self.workers, self.start = workers, start
        last = samples[-1][1]
        points = [(time, k) for time, k in samples if start + SETTLING < time < end and 0 < k < last]
        self.length = len(points)
        if self.length >= FEWEST:
            self.rate, self.offset = statistics.linear_regression(*zip(*points))

    def at(self, time):
        return self.offset + self.rate * time

    def iteration(self):
        return 1 / self.rate


def _cost_and_serial(phases):
    """By least squares: an iteration of n workers takes cost / n + serial seconds."""
    shares = [1 / phase.workers for phase in phases for _ in range(phase.length)]
    times = [phase.iteration() for phase in phases for _ in range(phase.length)]
    cost, serial = statistics.linear_regression(shares, times)
    if serial < 0:
        cost, serial = statistics.fmean(times) / statistics.fmean(shares), 0
    return cost, serial


def _lost(pairs, rate):
    """Seconds of a change: the iterations that are missing after it, over the rate at which they are missed."""
    missing = sum(before.at(after.start) - after.at(after.start) for before, after in pairs)
    return max(0, missing / sum(rate(before, after) for before, after in pairs))


def figures_from(name, changes, samples):
    ends = [time for time, _, _ in changes[1:]] + [samples[-1][0]]
    phases = [Phase(workers, time, end, samples) for (time, _, workers), end in zip(changes, ends)]
    pairs = [(a, b) for a, b in zip(phases, phases[1:]) if min(a.length, b.length) >= FEWEST]
    shrinks = [(a, b) for a, b in pairs if b.workers < a.workers]
    grows = [(a, b) for a, b in pairs if b.workers > a.workers]
    if not shrinks or not grows:
        sys.exit(f"{name} is over too soon to be measured: give it more iterations")
    cost, serial = _cost_and_serial([phase for phase in phases if phase.length >= FEWEST])
    if cost <= 0:
        sys.exit(f"{name} goes no faster with more workers")

    def rate(phase):
        return 1 / (cost / phase.workers + serial)

    first = phases[0]
    return {
        "cost": cost,
        "serial": serial,
        # Processes and rows are made by the workers, held to their cores like all their work.
        "start": max(0, (-first.offset / first.rate - first.start) * first.workers),
        # A shrunk job stands still; of a grown one the old workers go on, and the new ones are late.
        "shrink": _lost(shrinks, lambda _, after: rate(after)),
        "grow": _lost(grows, lambda before, after: rate(after) - rate(before)),
    }


def run(name, directory):
    files = [jobs.write_busy(directory / f"neighbour-{i}.yaml", f"neighbour-{i}", workers, seconds)
             for i, (workers, seconds) in enumerate(NEIGHBOURS)]
    files.insert(1, jobs.write_job(directory / f"{name}-alone.yaml", name, directory / f"{name}.csv",
                                   jobs.MEASURED[name]))
    real.run(files, f"{round(1000 * jobs.ALL * jobs.WORKER) + 1}m", STEP, directory / f"{name}-alone")


def figures_of(name, directory):
    """What its run showed."""
    out = directory / f"{name}-alone"
    if not out.with_suffix(".pace").exists():
        sys.exit(f"{directory} has no run of {name} by itself; make one without --again")
    changes = real.changes_of(out).get(name, [])
    if [before for _, before, _ in changes[:len(SIZES)]] != SIZES:
        sys.exit(f"{name} was not resized as expected: {changes}")
    return {**figures_from(name, changes, real.samples_of(out, name)), "pace": real.pace_of(out)}
