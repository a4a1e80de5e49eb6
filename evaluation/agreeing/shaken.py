"""How much of an agreement is chance: the same jobs simulated again and again, at slightly other costs.

A small difference in a cost may bring an iteration's end before an epoch or after it, and all that follows with it.
"""
import random

from agreeing import virtual

COMMON = 0.05  # the pace of all, up or down by up to so much
EACH = 0.03  # and a job's cost of an iteration besides
CHANGES = 0.2  # and its starts and resizes


def shaken(figures, rng):
    def by(share):
        return rng.uniform(1 - share, 1 + share)

    return {name: each | {"cost": each["cost"] * by(EACH)}
            | {what: each[what] * by(CHANGES) for what in ("start", "startFixed", "grow", "shrink")}
            for name, each in figures.items()}


def moved(figures, directory, policy, predictor, count, by):
    """In how many of so many simulations some job's time, at the pace of all, moves by more than that share."""
    rng = random.Random(1)
    usual = next(iter(figures.values()))["pace"]

    def times(costs, pace):
        workload = virtual.write_workload(costs, directory, pace, directory / "workload-shaken.yaml")
        return virtual.simulate(workload, policy, predictor, directory / "simulated-shaken")[0]

    unshaken = times(figures, usual)
    far = 0
    for _ in range(count):
        pace = rng.uniform(1 - COMMON, 1 + COMMON)
        now = times(shaken(figures, rng), usual * pace)
        far += any(abs(now[name] / pace / unshaken[name] - 1) > by for name in now)
    return far
