"""What a cluster takes to do what a controller decides, from what was seen of its pods: the simulation is given the same."""
import bisect
import collections
import dataclasses
import statistics

LATE = 0.1  # seconds that the watch of Jobs may be behind that of pods


@dataclasses.dataclass(frozen=True)
class Delays:
    """All in seconds."""
    start: float  # from the decision to start a job until a worker is ready
    grow: float  # from the decision for more workers until a new one is ready
    release: float  # from the decision for fewer until one that had to go holds no cores
    end: float  # from the end of a training until its workers' Job is complete

    def times(self, factor):
        return Delays(*(factor() * each for each in dataclasses.astuple(self)))


# What differs by job, since the machine is not always equally busy; of the others all jobs have one value.
BY_JOB = ("start", "grow", "release")


def _decision(change, epochs):
    """When the epoch began that made a change. `epochs` are their beginnings."""
    place = bisect.bisect_right(epochs, change)
    return epochs[place - 1] if place else change


def _last_change(changes, time, larger):
    """(when, whether it was the first one) of the last change in that direction until `time`."""
    found = None
    for (_, before), (then, after) in zip([(0, 0), *changes], changes):
        if then <= time + LATE and (after > before) == larger:
            found = then, before == 0
    return found


def _was_given_back(job, pod):
    """It ended because its job has fewer workers, and not because the training is over."""
    if pod["failed"] is None or pod["leaving"] is None:
        return False
    return job["ended"] is None or pod["leaving"] < job["ended"]


def _of_job(job, pods, epochs):
    found = {each.name: [] for each in dataclasses.fields(Delays)}
    for pod in pods:
        if pod["ready"] is not None and (change := _last_change(job["workers"], pod["created"], True)):
            found["start" if change[1] else "grow"].append(pod["ready"] - _decision(change[0], epochs))
        if _was_given_back(job, pod) and (change := _last_change(job["workers"], pod["leaving"], False)):
            found["release"].append(pod["failed"] - _decision(change[0], epochs))
    if job["complete"] is not None and job["ended"] is not None:
        found["end"].append(job["complete"] - job["ended"])
    return found


def samples(record):
    """By job and by what they are samples of. `record` is what was seen of one policy."""
    pods, epochs = collections.defaultdict(list), sorted(begun for begun, _, _ in record["epochs"])
    for pod in record["pods"]:
        pods[pod["job"]].append(pod)
    return {name: _of_job(job, pods[name], epochs) for name, job in record["jobs"].items()}


def all_of(found):
    """Of all jobs together."""
    return {each.name: [value for of_job in found.values() for value in of_job[each.name]]
            for each in dataclasses.fields(Delays)}


def by_job(found):
    """Those of each job: its own means, where it has samples, else those of all jobs. What never happened takes no time."""
    of_all = {name: max(0.0, statistics.fmean(values)) if values else 0.0 for name, values in all_of(found).items()}
    return {job: Delays(**{**of_all, **{name: max(0.0, statistics.fmean(of_job[name])) for name in BY_JOB if of_job[name]}})
            for job, of_job in found.items()}


def spread(values):
    """Of samples: how many, their mean and median, and what 95 of 100 are below."""
    if not values:
        return {"count": 0}
    ordered = sorted(values)
    return {"count": len(ordered), "mean": statistics.fmean(ordered), "median": statistics.median(ordered),
            "p95": ordered[-(-95 * len(ordered) // 100) - 1]}
