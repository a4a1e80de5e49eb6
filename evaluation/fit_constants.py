#!/usr/bin/python3
"""Fits the constants of forecasts to the traces: the mean curve of a training that has shown nothing yet, and the table
of experts (docs/design.md). It writes evaluation/constants/NAME.yaml, which `slaq` takes by --constants.

    fit_constants.py                          # to all traces: evaluation/constants/all.yaml
    fit_constants.py --leave-out k-means,lda  # to all but these algorithms' traces: without-k-means-lda.yaml
    fit_constants.py --leave-out non-convex   # to all but the noisy and non-convex traces
    fit_constants.py --each                   # all of them: to all traces, and without each algorithm and non-convex
    fit_constants.py --product product.yaml   # fits nothing: writes src/forecast/ensemble/fitted_constants.cpp

The product is built with evaluation/constants/product.yaml. The recordings (evaluation/recordings) are never read here. The search is deterministic.
"""
import argparse
import math
import pathlib
import random
import statistics

import numpy as np

import constants_file
import runs
import workloads
from expert_scores import ExpertScores, Series
from forecasts import CHANGES, losses_of

NON_CONVEX = "non-convex"
MARKS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192)  # of the first curve: iterations
EXPERTS = 15  # and the one that expects no change
NOISE = 0.02
MOST_GAP = 20
LAST_SEEN = 100
LEAST_GAIN = 1e-4  # of the logarithmic score: a swap that wins less is none


def left_in(leave_out):
    """The rows of the traces that may be fitted to."""
    def is_out(row):
        return row["algorithm"] in leave_out or row["convex"] == "no" and NON_CONVEX in leave_out
    return [row for row in workloads.index() if not is_out(row)]


# The first curve.

def levels_of(losses):
    """From 1 at the start to 0 at the end of the training, at the marks that it reaches."""
    first, final = losses[0], losses[-1]
    return [(losses[mark] - final) / (first - final) if mark < len(losses) else 0.0 for mark in MARKS]


def first_curve(rows):
    """The mean level at each mark over the convex traces, algorithms counting alike."""
    convex = [row for row in rows if row["convex"] == "yes"]
    means = []
    for algorithm in dict.fromkeys(row["algorithm"] for row in convex):
        levels = [levels_of(losses_of(row["name"])) for row in convex if row["algorithm"] == algorithm]
        means.append([statistics.fmean(column) for column in zip(*levels)])
    return [round(statistics.fmean(column), 4) for column in zip(*means)]


# The table of experts.

def seen_every(losses, every):
    return [(k, losses[k]) for k in range(0, min(LAST_SEEN, len(losses) - 1) + 1, every)]


def seen_at_gaps(losses):
    chance, k = random.Random(len(losses)), 0
    while k < min(LAST_SEEN + 1, len(losses)):
        yield k, losses[k]
        k += chance.randint(1, MOST_GAP)


def seen_with_noise(losses):
    chance = random.Random(1)
    return [(k, loss * (1 + chance.gauss(0, NOISE))) for k, loss in seen_every(losses, 1)]


# How the forecasts see a trace.
SIGHTS = {
    "dense": lambda losses: (losses, seen_every(losses, 1)),
    "every5": lambda losses: (losses, seen_every(losses, 5)),
    "gaps": lambda losses: (losses, list(seen_at_gaps(losses))),
    "noise": lambda losses: (losses, seen_with_noise(losses)),
    **{change: lambda losses, change=change: (CHANGES[change](losses), seen_every(CHANGES[change](losses), 1))
       for change in ("raised", "belowZero", "throughZero")},
}
# What counts is how well losses are forecast as they are; that the error should stay what it is where they are shifted
# or seen with noise or gaps counts less. Weights of the error of the range by convexity and sight,
RANGE_WEIGHTS = {"yes dense": 3, "yes every5": 1, "yes gaps": 1, "yes noise": 1, "yes raised": 0.4,
                 "yes belowZero": 0.4, "yes throughZero": 0.4, "no dense": 1, "no every5": 0.5, "no noise": 0.5}
# and of that of the loss, which hangs on a few trainings whose losses fall by orders of magnitude.
LOSS_WEIGHTS = {"yes dense": 1.5, "yes every5": 0.5}
# Of the convex traces, which are many, each is seen shifted in one of the three ways.
SHIFTS = ("raised", "belowZero", "throughZero")


def sights_of(number, row):
    if row["convex"] == "no":
        return "dense", "every5", "noise"
    return "dense", "every5", "gaps", "noise", SHIFTS[number % len(SHIFTS)]


def all_series():
    """((group, name), series) of everything that tables are scored by."""
    for number, row in enumerate(workloads.index()):
        losses = losses_of(row["name"])
        for sight in sights_of(number, row):
            truth, seen = SIGHTS[sight](losses)
            yield (f"{row['convex']} {sight}", row["name"]), Series(truth, seen, losses[0] - min(losses))


class Objective:
    """The weighted mean over groups of the logarithm of the mean error, so that no group counts more because its errors
    are larger."""

    def __init__(self, scores, rows):
        names = {row["name"] for row in rows}
        groups = {}
        for place, (group, name) in enumerate(scores.keys):
            if name in names:
                groups.setdefault(group, []).append(place)
        self._scores = scores
        self._terms = [(weights[group], which, places) for which, weights in enumerate((RANGE_WEIGHTS, LOSS_WEIGHTS))
                       for group, places in groups.items() if group in weights]

    def with_each_added(self, table):
        """By candidate."""
        errors = self._scores.with_each_added(table)
        total = sum(weight * np.log(errors[places, which].mean(axis=0)) for weight, which, places in self._terms)
        return total / sum(weight for weight, _, _ in self._terms)


def best_with(objective, table):
    """(score, the table with the best expert added)."""
    scores = objective.with_each_added(table)
    score, expert = min((scores[expert], expert) for expert in constants_file.candidates() if expert not in table)
    return score, table + [expert]


def greedy(objective, step):
    """From the expert that expects no change on, the best one is added each time."""
    table, score = [0], math.inf
    for _ in range(EXPERTS):
        score, table = best_with(objective, table)
        step()
    return score, table


def swapped(objective, score, table, step):
    """The table in which no swap of one expert wins any more. They take turns, the oldest first."""
    failed = 0
    while failed < EXPERTS:
        found, other = best_with(objective, [table[0], *table[2:]])
        wins = found < score - LEAST_GAIN
        failed = 0 if wins else failed + 1
        score, table = (found, other) if wins else (score, [table[0], *table[2:], table[1]])
        step()
    return score, table


def fit(scores, leave_out, step):
    rows = left_in(leave_out)
    objective = Objective(scores, rows)
    _, table = swapped(objective, *greedy(objective, step), step)
    return first_curve(rows), sorted(table)


def name_of(leave_out):
    return "without-" + "-".join(leave_out) if leave_out else "all"


def wanted(options):
    if options.each:
        return [[], *([each] for each in workloads.algorithms()), [NON_CONVEX]]
    known = {*workloads.algorithms(), NON_CONVEX}
    leave_out = [word for word in options.leave_out.split(",") if word]
    if unknown := set(leave_out) - known:
        raise SystemExit(f"--leave-out: no such algorithm: {', '.join(sorted(unknown))}; "
                         f"there are {', '.join(sorted(known))}")
    return [leave_out]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--leave-out", default="", help="algorithms, or non-convex, with commas between")
    parser.add_argument("--each", action="store_true", help="all fits that the evaluation needs")
    parser.add_argument("--product", help="fit nothing, and write the C++ source of this file of --output")
    parser.add_argument("--output", default=constants_file.FOLDER, type=pathlib.Path)
    options = parser.parse_args()
    options.output.mkdir(exist_ok=True)
    if options.product:
        return constants_file.write_source(options.output / options.product)
    scores = ExpertScores(list(all_series()))
    for leave_out in wanted(options):
        counter = runs.Counter(f"constants {name_of(leave_out)}", "rounds")
        curve, table = fit(scores, leave_out, counter.step)
        counter.end()
        constants_file.write(options.output / f"{name_of(leave_out)}.yaml", curve, table)


if __name__ == "__main__":
    main()
