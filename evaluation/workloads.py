"""Workloads for `slaq simulate` (docs/cli.md), drawn at random from recorded losses: those of section 6.1 of the paper.

160 jobs come to 640 cores as a Poisson process. A job's algorithm is drawn first, so that all of a source's algorithms
count alike, then one of its traces. The same seed gives the same arrivals, costs and traces whatever else a setting
says; only another source of traces gives other ones.
"""
import csv
import dataclasses
import functools
import math
import os
import pathlib
import random
import statistics

HERE = pathlib.Path(__file__).resolve().parent
TRACES = HERE / "traces"
CONSTANTS = HERE / "constants"  # what fit_constants.py fitted
# Where losses come from, each with an index.csv: our own trainer, and trainings on real data that nothing is fitted to.
SOURCES = {"traces": TRACES, "recordings": HERE / "recordings"}

CORES = 640
JOBS = 160
EPOCH = 3  # seconds
# CPU seconds of an iteration are log-uniform around this. The paper does not say what its jobs cost; with this a
# fair scheduler's integral of normalized loss comes to about 31, 84 and 154 s at arrivals of 15, 10 and 4 s, when
# 1.1, 1.7 and 4.1 times the work arrives that the cluster can do meanwhile.
CPU_SECONDS = 52.5
CPU_SPREAD = 1.5
# Where costs follow from the algorithm: the means of the cheapest and of the costliest, and how far jobs of one lie
# apart, as the standard deviation of the cost's logarithm.
CPU_SECONDS_BY_ALGORITHM = (23, 145)
CPU_SIGMA = 0.5


@dataclasses.dataclass(frozen=True)
class Setting:
    """What distinguishes one workload from another."""
    seed: int
    arrivals: float = 15  # mean seconds between two
    cap: int = CORES  # cores that one job can use
    pause: float = 0  # seconds that a job stands still when its workers change
    resize: str = "blocking"  # of RESIZES
    non_convex: int = 0  # percent of the jobs
    source: str = "traces"  # of SOURCES; all recordings count, convex or not
    held_out: bool = False  # each job is forecast with constants that were fitted without its algorithm
    costs: str = "alike"  # of COSTS
    kinds: bool = False  # each job says its algorithm as its kind

    def name(self):
        costs = "" if self.costs == "alike" else f"-costs-{self.costs}"
        kind = f"{'pause' if self.resize == 'blocking' else self.resize}{self.pause:g}"
        return (f"{self.source}{'-heldout' if self.held_out else ''}-every{self.arrivals:g}s-cap{self.cap}-{kind}"
                f"-nonconvex{self.non_convex}{costs}{'-kinds' if self.kinds else ''}-seed{self.seed}")


# How a change of workers goes, as lines of the workload: a job stands still at each change; or only where it grows; or
# shrinking is free, and at a growth the old workers go on while the new ones start.
RESIZES = {"blocking": [], "free-shrinks": ["shrinkSeconds: 0"],
           "gentle": ["shrinkSeconds: 0", "resizeBlocks: false"]}


@functools.cache
def index(source="traces"):
    """The rows of a source's index."""
    with (SOURCES[source] / "index.csv").open() as file:
        return list(csv.DictReader(file))


@functools.cache
def traces(convex, algorithm=None):
    return [row for row in index() if row["convex"] == ("yes" if convex else "no") and
            algorithm in (None, row["algorithm"])]


@functools.cache
def algorithms():
    """The nine of the paper's Table 1."""
    return list(dict.fromkeys(row["algorithm"] for row in traces(convex=True)))


@functools.cache
def kinds():
    """The kinds of training of the recordings."""
    return list(dict.fromkeys(row["algorithm"] for row in index("recordings")))


@functools.cache
def recordings(kind):
    return [row for row in index("recordings") if row["algorithm"] == kind]


def _of_recordings(chance):
    return chance.choice(recordings(chance.choice(kinds())))


def constants_without(row):
    """The file of constants that were fitted without a trace's algorithm, or without the non-convex traces."""
    return CONSTANTS / f"without-{row['algorithm'] if row['convex'] == 'yes' else 'non-convex'}.yaml"


def _cost_alike(_, chance):
    return CPU_SECONDS * CPU_SPREAD ** chance


def mean_cost(algorithm):
    """The mean CPU seconds of an iteration of an algorithm's jobs, where they follow from it: even steps of the
    logarithm, in the order of algorithms()."""
    cheapest, costliest = CPU_SECONDS_BY_ALGORITHM
    return cheapest * (costliest / cheapest) ** (algorithms().index(algorithm) / (len(algorithms()) - 1))


def _cost_by_algorithm(trace, chance):
    """Log-normal around the algorithm's mean."""
    normal = statistics.NormalDist(-CPU_SIGMA ** 2 / 2, CPU_SIGMA).inv_cdf((1 + chance) / 2)
    return mean_cost(trace["algorithm"]) * math.exp(normal)


# What a job costs, by its trace and a chance between -1 and 1.
COSTS = {"alike": _cost_alike, "by-algorithm": _cost_by_algorithm}


def draw(setting):
    """(arrival, trace's row, CPU seconds of an iteration) of each job."""
    chance = random.Random(setting.seed)
    now = 0.0
    for _ in range(JOBS):
        now += setting.arrivals * -math.log(1 - chance.random())
        if setting.source == "recordings":
            convex = other = _of_recordings(chance)
        else:
            convex = chance.choice(traces(True, chance.choice(algorithms())))
            other = chance.choice(traces(False))
        cost = COSTS[setting.costs](convex, chance.uniform(-1, 1))
        yield now, other if 100 * chance.random() < setting.non_convex else convex, cost


def text(setting, folder):
    """The workload file, to stand in `folder`."""
    way = os.path.relpath(SOURCES[setting.source], folder)
    lines = [f"cores: {CORES}", f"epochSeconds: {EPOCH}", f"resizeSeconds: {setting.pause:g}",
             *RESIZES[setting.resize], "jobs:"]
    for number, (arrival, trace, cost) in enumerate(draw(setting)):
        constants = f", constants: {os.path.relpath(constants_without(trace), folder)}" if setting.held_out else ""
        kind = f", kind: {trace['algorithm']}" if setting.kinds else ""
        lines.append(f"  - {{name: job-{number:03}, arrivalSeconds: {arrival:.3f}, trace: {way}/{trace['name']}.csv, "
                     f"cpuSecondsPerIteration: {cost:.4f}, convergence: {trace['convergence']}, "
                     f"maxReplicas: {setting.cap}{constants}{kind}}}")
    return "\n".join(lines) + "\n"
