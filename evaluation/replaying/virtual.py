"""`slaq simulate` of what was replayed: with the arrivals and the delays that the cluster had, and again with slightly
other ones, which tells how far chance alone moves a figure."""
import csv
import json
import random
import subprocess

import runs
import workloads
from replaying import moments, workload

DELAYS = 0.2  # each of the delays is up to so much shorter or longer


def arrivals_of(record, shift):
    """By name, in seconds since the epoch of the controller at which the simulation begins. The first one comes apart from
    the period of all that follow."""
    first = record["epochs"][1][0]
    return {name: job["created"] - first % workloads.EPOCH + shift for name, job in record["jobs"].items()}


def copies(record, delays, count):
    """(arrivals, delays) of each simulation. The first has what the cluster had. In the others all jobs come up to an
    epoch later, so that the epochs fall otherwise between them."""
    yield arrivals_of(record, workloads.EPOCH), delays
    chance = random.Random(1)
    for _ in range(count - 1):
        shaken = {name: each.times(lambda: 1 + chance.uniform(-DELAYS, DELAYS)) for name, each in delays.items()}
        yield arrivals_of(record, workloads.EPOCH * (1 + chance.random())), shaken


def _number(text):
    return float(text) if text else None


def _rows(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def simulate(contender, text, folder, name):
    """The answer of the program, and with it `jobs` by name and `series`."""
    folder.mkdir(parents=True, exist_ok=True)
    path, jobs, series = (folder / f"{name}{ending}" for ending in (".yaml", "-jobs.csv", "-series.csv"))
    path.write_text(text)
    done = subprocess.run([runs.PROGRAM, "simulate", path, *contender.flags(), "--jobs", jobs, "--series", series,
                           "--changes", folder / f"{name}.log"], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"slaq simulate {path}: {done.stderr.strip()}")
    by_name = {row["name"]: {key: _number(value) for key, value in row.items() if key != "name"} for row in _rows(jobs)}
    return {**json.loads(done.stdout), "jobs": by_name,
            "series": [{key: float(value) for key, value in row.items()} for row in _rows(series)]}


def figures_of(answer):
    """The same measures as figures.of_replay() has."""
    rows = moments.at_regular_instants(answer["series"], workloads.EPOCH)
    return {"meanLossIntegralSeconds": answer["meanLossIntegralSeconds"],
            **{f"secondsTo{percent}": spread["mean"] for percent, spread in answer["secondsToReduction"].items()},
            "completionSeconds": answer["completionSeconds"]["mean"], "makespanSeconds": answer["makespanSeconds"],
            "resizes": answer["resizes"], "averageNormalizedLoss": moments.mean_level(rows),
            **dict(zip(moments.GROUPS, moments.mean_shares(rows)))}


def simulate_all(contender, jobs, record, delays, worker_cores, count, folder):
    """The answers, that of what the cluster had first."""
    texts = [workload.text(jobs, arrivals, each, worker_cores) for arrivals, each in copies(record, delays, count)]
    return runs.for_all(f"simulations of {contender.policy}",
                        lambda numbered: simulate(contender, numbered[1], folder, f"{contender.policy}-{numbered[0]:02}"),
                        enumerate(texts))
