#!/usr/bin/python3
"""Simulates what it is worth that jobs say their kind, where an algorithm says what a job costs and for newcomers to a
kind that is known, and writes the tables of the part "Jobs of a kind" of docs/evaluation.md. Takes ten minutes."""
import collections
import csv
import io
import statistics

import document
import gpu_trainings
import grid
import results
import runs
import simulations
from intervals import of_means
from workloads import COSTS, Setting

ARRIVALS = (15, 4)
COST_NAMES = {"alike": "within 1.5 times for all", "by-algorithm": "by algorithm"}
INTEGRAL = "meanLossIntegralSeconds"

SEEN = 10  # jobs of its kind came before a newcomer
# In each of so many simulations of a workload another of so many newcomers says no kind.
GROUPS = 10
# How LookAhead knows newcomers, and the oracle.
WAYS = ("oracle", "known", "unknown", "all unknown")
MEASURES = {"to 25%": "secondsTo25", "to 50%": "secondsTo50", "to 90%": "secondsTo90",
            "integral": "lossIntegralSeconds"}  # columns of --jobs
BY_TRAINING = ("to 50%", "integral")


def cost_runs(seeds):
    """Fair and the oracle do the same whether jobs say their kind or not."""
    for arrivals in ARRIVALS:
        for costs in COSTS:
            for seed in range(1, seeds + 1):
                same = {"seed": seed, "arrivals": arrivals, "costs": costs}
                yield from (grid.Run(contender, Setting(**same)) for contender in (grid.FAIR, grid.ORACLE))
                yield from (grid.Run(grid.OURS, Setting(**same, held_out=True, kinds=kinds)) for kinds in (True, False))


def percent(share):
    return f"{100 * share:.1f}%"


def costs_table(simulated):
    rows = []
    for arrivals in ARRIVALS:
        for costs in COSTS:
            same = {"arrivals": arrivals, "costs": costs}
            for kinds in (True, False):
                ours = {**same, "held_out": True, "kinds": kinds}
                integrals = [simulated.interval(INTEGRAL, grid.FAIR, **same),
                             simulated.interval(INTEGRAL, grid.OURS, **ours),
                             simulated.interval(INTEGRAL, grid.ORACLE, **same)]
                share = of_means(lambda fair, one, best: (fair - one) / (fair - best),
                                 simulated.values(INTEGRAL, grid.FAIR, **same),
                                 simulated.values(INTEGRAL, grid.OURS, **ours),
                                 simulated.values(INTEGRAL, grid.ORACLE, **same))
                rows.append([f"{arrivals} s, costs {COST_NAMES[costs]}, kinds {'known' if kinds else 'unknown'}",
                             *map(document.plus_minus, integrals), document.plus_minus(share, percent)])
    return document.table(["integral, s", "fair", "LookAhead", "oracle", "share of the oracle's gain"], rows)


def newcomers(setting):
    """The names of the jobs before which enough others of their training arrived, by training."""
    seen = collections.Counter()
    names = {}
    for job in sorted(setting.jobs(), key=lambda job: float(job["arrivalSeconds"])):
        if seen[job["curve"]] >= SEEN:
            names.setdefault(job["curve"], []).append(job["name"])
        seen[job["curve"]] += 1
    return names


def with_strangers(setting):
    """The setting once for each group of newcomers, who say no kind in it; together these are all newcomers."""
    names = [name for each in newcomers(setting).values() for name in each]
    return [gpu_trainings.Setting(setting.workload, setting.copy, strangers=frozenset(names[group::GROUPS]),
                                  group=f"-strangers{group}") for group in range(GROUPS)]


def _times(text):
    """A job's MEASURES by its name."""
    return {row["name"]: {measure: float(row[column]) for measure, column in MEASURES.items()}
            for row in csv.DictReader(io.StringIO(text))}


def newcomers_times():
    """By workload and training the times of newcomers, by the way in which they are known."""
    wanted = []
    for setting in gpu_trainings.settings_of():
        wanted += [("Oracle", setting), ("LookAhead", setting),
                   ("LookAhead", gpu_trainings.Setting(setting.workload, setting.copy, kinds=False))]
        wanted += [("LookAhead", each) for each in with_strangers(setting)]
    times = {run: _times(text) for run, text in gpu_trainings.files("--jobs", wanted).items()}
    found = {}
    for setting in gpu_trainings.settings_of():
        unknown = {name: times["LookAhead", each][name] for each in with_strangers(setting) for name in each.strangers}
        stranger = gpu_trainings.Setting(setting.workload, setting.copy, kinds=False)
        ways = dict(zip(WAYS, (times["Oracle", setting], times["LookAhead", setting], unknown,
                               times["LookAhead", stranger])))
        for curve, names in newcomers(setting).items():
            of = found.setdefault((setting.workload, curve), {way: [] for way in WAYS})
            for way in WAYS:
                of[way] += [ways[way][name] for name in names]
    return found


def _row(name, measure, chosen):
    """Of some newcomers the mean of a measure under the oracle, and by how much it is longer without one."""
    means = {way: statistics.fmean(each[measure] for times in chosen for each in times[way]) for way in WAYS}
    known, *unknown = regrets = [means[way] - means["oracle"] for way in WAYS[1:]]
    count = sum(len(times["known"]) for times in chosen) / gpu_trainings.COPIES
    shares = [f"{known / each:.2f}" if min(known, each) > 0 else "" for each in unknown]
    return [f"{name}, {measure}", f"{count:.0f}", f"{means['oracle']:.1f}", *(f"{regret:.1f}" for regret in regrets),
            *shares]


def newcomers_table(found):
    rows = [_row("all", measure, list(found.values())) for measure in MEASURES]
    for curve in sorted({curve for _, curve in found}):
        chosen = [times for (_, one), times in found.items() if one == curve]
        rows += [_row(curve, measure, chosen) for measure in BY_TRAINING]
    return document.table(["", "newcomers", "oracle, s", "regret, kind known, s", "own kind unknown, s",
                           "all kinds unknown, s", "known / own unknown", "known / all unknown"], rows)


def write(path):
    seeds = results.seeds()
    simulated = simulations.simulate_all(list(cost_runs(seeds)), seeds, "simulations of kinds")
    found = newcomers_times()
    text = document.put(path.read_text(), "kinds costs", costs_table(simulated))
    path.write_text(document.put(text, "kinds newcomers", newcomers_table(found)))


if __name__ == "__main__":
    write(runs.ROOT / "docs/evaluation.md")
