"""What Prometheus and the API server need for the same, asked by clients that do nothing else."""
import json
import pathlib
import time

from clusters import reads
from harness import parallel

ONE_BY_ONE = 100  # patches, each after the answer to the one before


def measure(rig, jobs, changes):
    most = max(changes)
    return {"query": query(rig), "oneByOne": patches(rig, jobs, min(most, ONE_BY_ONE), 1),
            "patches": [patches(rig, jobs, number, parallel.SIDE_BY_SIDE) for number in changes if number]}


def last_query(rig):
    """The newest of the controller's that asks for raw samples of all jobs, out of Prometheus' own log."""
    with open(rig.queries, "rb") as log:
        log.seek(max(0, pathlib.Path(rig.queries).stat().st_size - (1 << 20)))
        lines = log.read().decode(errors="replace").splitlines()[1:]
    texts = [json.loads(line)["params"]["query"] for line in lines if line.startswith("{")]
    return next((text for text in reversed(texts) if '!=""' in text and text.endswith("]")), None)


def query(rig):
    text = last_query(rig)
    if text is None:
        return None
    ways = reads.measure(rig, text)
    own = next(each for each in ways if each["way"] == reads.OWN)
    return {"query": text, "seconds": own["seconds"], "bytes": own["bytes"], "ways": ways}


def patches(rig, jobs, count, side_by_side):
    """Of the workers' Jobs of those that change, but of an annotation, so that no pod comes or goes."""
    numbers = jobs.changing[:count]

    def patch(number):
        namespace, name = jobs.key(number)
        rig.api.patch(f"/apis/batch/v1/namespaces/{namespace}/jobs/{name}-workers",
                      {"metadata": {"annotations": {"bench": str(time.time())}}})

    begun = time.monotonic()
    parallel.each(patch, numbers, side_by_side)
    return {"count": count, "sideBySide": side_by_side, "seconds": time.monotonic() - begun}
