"""What counts of a run: per job the integral of its normalized loss, the times to its first iteration, to 90% of its
loss reduction and to its end, all in seconds from its arrival."""
import csv
import re
from collections import defaultdict

MEASURES = ("integral", "first iteration", "t90", "done")


def losses_of(file, arrivals):
    """By job the (seconds since arrival, iteration, loss) that were read."""
    samples = defaultdict(list)
    with open(file, newline="", encoding="utf-8") as text:
        for row in csv.DictReader(text):
            job = row["job"].removeprefix("default/")
            samples[job].append((float(row["seconds"]) - arrivals[job], float(row["iteration"]), float(row["loss"])))
    return samples


def ends_of(log):
    """By job the seconds from arrival to its end, as the summary tells."""
    ends = {}
    for name, done, state in re.findall(r"^default/(\S+) .*?([\d.]+) s  (\w+)$", log, re.MULTILINE):
        if state == "Complete":
            ends[name] = float(done)
    return ends


def measure(runs):
    """`runs`: of the same jobs, by policy, (losses by job, ends by job). A job's loss goes from 1, the highest first
    loss that any run saw, to 0, the lowest loss of any run. By policy a list of the jobs' measures."""
    measured = {policy: [] for policy in runs}
    for job in sorted(set.intersection(*(set(losses) & set(ends) for losses, ends in runs.values()))):
        first = max(losses[job][0][2] for losses, _ in runs.values())
        last = min(loss for losses, _ in runs.values() for _, _, loss in losses[job])
        if first <= last:
            continue
        for policy, (losses, ends) in runs.items():
            normalized = [(time, iteration, (loss - last) / (first - last)) for time, iteration, loss in losses[job]]
            measured[policy].append(_of_job(normalized, ends[job]))
    return measured


def _of_job(samples, end):
    integral, lowest, before = 0.0, 1.0, 0.0
    started = t90 = None
    for time, iteration, loss in samples:
        time = max(time, before)
        integral += lowest * (time - before)
        lowest, before = min(lowest, max(loss, 0)), time
        if started is None and iteration >= 1:
            started = time
        if t90 is None and lowest <= 0.1:
            t90 = time
    integral += lowest * max(0.0, end - before)
    return dict(zip(MEASURES, (integral, end if started is None else started, end if t90 is None else t90, end)))
