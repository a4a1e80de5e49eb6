"""What Prometheus and the API server need for the same, asked by clients that do nothing else."""
import json
import pathlib
import time

from clusters import reads
from clusters.jobs import FEWER, MORE
from harness import parallel
from harness.progress import wait_until

ONE_BY_ONE = 100  # patches, each after the answer to the one before


def measure(rig, jobs, observer, changes, patience):
    most = max(changes)
    return {"query": query(rig), "oneByOne": patches(rig, jobs, min(most, ONE_BY_ONE), 1),
            "patches": [patches(rig, jobs, number, parallel.SIDE_BY_SIDE) for number in changes if number],
            "scales": [scales(rig, jobs, observer, number, patience) for number in changes if number]}


def last_query(rig):
    """The newest of the controller's that asks for raw samples, out of Prometheus' own log."""
    with open(rig.queries, "rb") as log:
        log.seek(max(0, pathlib.Path(rig.queries).stat().st_size - (1 << 20)))
        lines = log.read().decode(errors="replace").splitlines()[1:]
    texts = [json.loads(line)["params"]["query"] for line in lines if line.startswith("{")]
    return next((text for text in reversed(texts) if reads.OWN_QUERY.fullmatch(text)), None)


def query(rig):
    text = last_query(rig)
    if text is None:
        return None
    ways = reads.measure(rig, text)
    own = next(each for each in ways if each["way"] == reads.OWN)
    return {"query": text, "seconds": own["seconds"], "bytes": own["bytes"], "ways": ways}


def patches(rig, jobs, count, side_by_side):
    """Of the workers' Jobs of those that change, but of an annotation, so that no pod comes or goes."""
    annotate = lambda number: rig.api.patch(jobs.workers_path(number), {"metadata": {"annotations": {"bench": str(time.time())}}})
    seconds = seconds_of(annotate, jobs.changing[:count], side_by_side)
    return {"count": count, "sideBySide": side_by_side, "seconds": seconds}


def scales(rig, jobs, observer, count, patience):
    """What the controller would do after the same changes: the jobs that lose workers, then those that get some, while
    the Job controller and the nodes do what follows from it."""
    changes = jobs.change(count)
    resize = lambda number: rig.api.patch(jobs.workers_path(number), {"spec": dict.fromkeys(
        ("parallelism", "completions"), jobs.pinned[number])})
    seconds = {}
    for name, wanted in (("secondsOfFewer", FEWER), ("secondsOfMore", MORE)):
        chosen = [number for number in jobs.changing[:count] if jobs.pinned[number] == wanted]
        seconds[name] = seconds_of(resize, chosen)
        ready = {key: change for key, change in changes.items() if change[2] == wanted}
        wait_until("their workers", lambda: (n := len(observer.ready_ages(ready))) >= len(ready) or f"{n} of {len(ready)}",
                   patience)
    return {"count": count, **seconds}


def seconds_of(call, numbers, side_by_side=parallel.SIDE_BY_SIDE):
    begun = time.monotonic()
    parallel.each(call, numbers, side_by_side)
    return time.monotonic() - begun
