"""What a workload says of a job, measured in a run of its own.

As many cores are busy as in the run together: neighbours use those that the job does not have. They come and go, so
that the job goes through all sizes that it is likely to have. In between, iterations lie on a line; where the lines
of two sizes are apart when the one becomes the other, that is what the change cost. Another, short run starts with few
workers, which tells what part of a start more workers shorten.
"""
import statistics
import sys

from agreeing import jobs, real

STEP = 12  # s: one of them comes after the other
SETTLING = 3  # s after a change that are left out where rates are measured
FEWEST = 4  # iterations seen for a rate
# Workers of each neighbour and the seconds that it lasts; the job comes after the first.
NEIGHBOURS = [(2, 116), (2, 44), (1, 52), (1, 40)]
STARTING = 16  # s, of the one beside a start with few workers
SIZES = [0, 6, 4, 3, 2]  # of the job as they come; then it grows again


def _finished(samples):
    """(second, iteration) when iterations ended: each between two looks, as is likely in their middle. The last look
    is left out, for an end comes before its time is over."""
    return [((before + time) / 2, (begun + 1 + k) / 2)
            for (before, begun), (time, k) in zip(samples[:-1], samples[1:-1]) if k > begun]


class Phase:
    """Of so many workers, from one change to the next."""

    def __init__(self, workers, start, end, samples):
        self.workers, self.start = workers, start
        points = [(time, k) for time, k in _finished(samples) if start + SETTLING < time < end]
        self.length = len(points)
        if self.length >= FEWEST:
            self.rate, self.offset = statistics.linear_regression(*zip(*points))

    def at(self, time):
        return self.offset + self.rate * time

    def iteration(self):
        return 1 / self.rate


def _divided_and_fixed(workers, times):
    """By least squares: n workers take divided / n + fixed seconds, none of them less than nothing."""
    shares = [1 / each for each in workers]
    divided, fixed = statistics.linear_regression(shares, times)
    if fixed < 0:
        return statistics.fmean(times) / statistics.fmean(shares), 0
    return (divided, fixed) if divided >= 0 else (0, statistics.fmean(times))


def _cost_and_serial(phases):
    workers = [phase.workers for phase in phases for _ in range(phase.length)]
    return _divided_and_fixed(workers, [phase.iteration() for phase in phases for _ in range(phase.length)])


def _start(phase):
    """Seconds until its first iteration begins."""
    return max(0, -phase.offset / phase.rate - phase.start)


def _lost(pairs, rate):
    """Seconds of a change: the iterations that are missing after it, over the rate at which they are missed."""
    missing = sum(before.at(after.start) - after.at(after.start) for before, after in pairs)
    return max(0, missing / sum(rate(before, after) for before, after in pairs))


def _phases(changes, samples):
    ends = [time for time, _, _ in changes[1:]] + [samples[-1][0]]
    return [Phase(workers, time, end, samples) for (time, _, workers), end in zip(changes, ends)]


def figures_from(name, seen, seen_with_few):
    """Of the changes and samples of both its runs."""
    phases = _phases(*seen)
    few = _phases(*seen_with_few)[0]
    pairs = [(a, b) for a, b in zip(phases, phases[1:]) if min(a.length, b.length) >= FEWEST]
    shrinks = [(a, b) for a, b in pairs if b.workers < a.workers]
    grows = [(a, b) for a, b in pairs if b.workers > a.workers]
    if not shrinks or not grows or min(few.length, phases[0].length) < FEWEST:
        sys.exit(f"{name} is over too soon to be measured: give it more iterations")
    cost, serial = _cost_and_serial([phase for phase in phases if phase.length >= FEWEST])
    if cost <= 0:
        sys.exit(f"{name} goes no faster with more workers")

    def rate(phase):
        return 1 / (cost / phase.workers + serial)

    # Rows are made by the workers, held to their cores like all their work; processes are started besides.
    start, start_fixed = _divided_and_fixed([phases[0].workers, few.workers], [_start(phases[0]), _start(few)])
    return {
        "cost": cost,
        "serial": serial,
        "start": start,
        "startFixed": start_fixed,
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
    files = [jobs.write_busy(directory / "neighbour.yaml", "neighbour", jobs.ALL - jobs.FEW, STARTING),
             jobs.write_job(directory / f"{name}-few.yaml", name, directory / f"{name}-few-history.csv",
                            jobs.STARTED[name], jobs.FEW)]
    real.run(files, f"{round(1000 * jobs.ALL * jobs.WORKER) + 1}m", 1, directory / f"{name}-few")


def _seen(out, name):
    if not out.with_suffix(".pace").exists():
        sys.exit(f"{out.parent} has no run of {name} by itself; make one without --again")
    return real.changes_of(out).get(name, []), real.samples_of(out, name)


def figures_of(name, directory):
    """What its runs showed."""
    out = directory / f"{name}-alone"
    changes, samples = _seen(out, name)
    if [before for _, before, _ in changes[:len(SIZES)]] != SIZES:
        sys.exit(f"{name} was not resized as expected: {changes}")
    few = _seen(directory / f"{name}-few", name)
    return {**figures_from(name, (changes, samples), few), "pace": real.pace_of(out)}
