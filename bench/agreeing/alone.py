"""What a workload says of a job, measured in a run of its own."""
import statistics
import sys

from agreeing import jobs, real

BEGIN = 12  # s; after as long it gets FEW workers
FEW_LAST = 9  # s, and as long as it takes to hand the cores over
END = 60  # s
SETTLING = 3  # s after a change that are left out where rates are measured


def _line_through(points):
    """The rate and a function from time to iteration, by least squares."""
    times, iterations = zip(*points)
    rate, offset = statistics.linear_regression(times, iterations)
    return rate, lambda time: offset + rate * time


def _points(samples, start, end):
    last = samples[-1][1]
    return [(time, k) for time, k in samples if start + SETTLING < time < end and 0 < k < last]


def _figures(name, samples, begin, shrink, grow):
    end = samples[-1][0]
    parts = [_points(samples, *part) for part in ((begin, shrink), (shrink, grow), (grow, min(end, END)))]
    if any(len(part) < 8 for part in parts):
        sys.exit(f"{name} is over too soon to be measured: give it more iterations")
    (rate, alone), (few_rate, few), (again_rate, again) = map(_line_through, parts)
    full = statistics.mean([1 / rate, 1 / again_rate])  # seconds for an iteration
    cost = min((1 / few_rate - full) / (1 / jobs.FEW - 1 / jobs.MOST), full * jobs.MOST)
    if cost <= 0:
        sys.exit(f"{name} goes no faster with more workers")
    return {
        "cost": cost,
        "serial": full - cost / jobs.MOST,
        # Processes and rows are made by the workers, held to their cores like all their work.
        "start": max(0, (-alone(0) / rate - begin) * jobs.MOST),
        "shrink": max(0, (alone(shrink) - few(shrink)) / few_rate),
        # The old workers go on while the new ones start: what is lost is what these would have done.
        "grow": max(0, (few(grow) + again_rate * (end - grow) - again(end)) / (again_rate - few_rate)),
    }


def measured(name, directory):
    """As many cores are busy as in the run together: neighbours use those that the job does not have."""
    out = directory / f"{name}-alone"
    files = [jobs.write_busy(directory / "neighbour.yaml", "neighbour", jobs.ALL - jobs.MOST, END),
             jobs.write_job(out.with_suffix(".yaml"), name, directory / f"{name}.csv",
                            jobs.LONGER * jobs.ITERATIONS[name]),
             jobs.write_busy(directory / "companion.yaml", "companion", jobs.MOST - jobs.FEW, FEW_LAST)]
    changes = real.run(files, f"{round(1000 * jobs.ALL * jobs.WORKER) + 1}m", BEGIN, out)[name]
    if [change[1:] for change in changes[:3]] != [(0, jobs.MOST), (jobs.MOST, jobs.FEW), (jobs.FEW, jobs.MOST)]:
        sys.exit(f"{name} was not resized as expected: {changes}")
    return _figures(name, real.samples_of(out, name), *(change[0] for change in changes[:3]))
