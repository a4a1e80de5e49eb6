#!/usr/bin/python3
"""Evaluates slaq as section 6 of the paper evaluates SLAQ: simulates, forecasts, measures, and writes the tables of
docs/evaluation.md, the figures beside it and results.json. EVALUATION_SEEDS=2 is a quick look at fewer seeds."""
import json
import os
import pathlib
import sys

import aims
import forecasts
import measurements
import simulations
import tables
from figures import measured, prediction, scheduling, traces

HERE = pathlib.Path(__file__).resolve().parent
DOCUMENT = HERE.parent / "docs/evaluation.md"
AGREEMENT = HERE / "agreement.json"  # of `bench/agreement`, which takes half an hour of the clock
SEEDS = 8


def seeds():
    said = os.environ.get("EVALUATION_SEEDS", str(SEEDS))
    if not said.isdigit() or not 1 <= int(said) <= 100:
        sys.exit(f"EVALUATION_SEEDS is '{said}'; it must be a number from 1 to 100")
    return int(said)


def draw(simulated, predicted, iterations, divisions):
    traces.figure1()
    traces.figure5()
    prediction.figure6(predicted)
    scheduling.figure7a()
    scheduling.figure7b(simulated)
    scheduling.figure8()
    scheduling.figure9(simulated)
    prediction.figure10a(predicted)
    measured.figure10b(iterations)
    measured.figure10c(divisions)


def main():
    simulated = simulations.Simulations(seeds())
    predicted = forecasts.Forecasts()
    divisions = measurements.kept("divisions", measurements.divisions, measurements.BENCH)
    iterations = measurements.kept("iterations", measurements.iterations, measurements.TRAINER)
    agreement = json.loads(AGREEMENT.read_text())
    reached = aims.all_aims(simulated, predicted, divisions, agreement)
    results = {"seeds": simulated.seeds, "simulations": simulated.json(), "forecasts": predicted.json(),
               "aims": [{"what": aim.what, "aim": aim.aim, "measured": aim.measured, "met": aim.met()}
                        for aim in reached],
               "cpuSecondsPerIteration": iterations, "divisionMilliseconds": divisions}
    (HERE / "results.json").write_text(json.dumps(results, indent=1) + "\n")
    tables.write(DOCUMENT, simulated, predicted, reached, agreement)
    draw(simulated, predicted, iterations, divisions)
    print(f"{simulated.seeds} seeds. What is aimed at, and what was measured:")
    for aim in reached:
        what, bound, value, met = aim.cells()
        print(f"  {'+' if met == 'yes' else '-'} {what:88} {value:>8}  ({bound})")


if __name__ == "__main__":
    main()
