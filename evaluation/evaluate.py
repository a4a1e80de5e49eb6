#!/usr/bin/python3
"""Evaluates slaq as section 6 of the paper evaluates SLAQ: simulates, forecasts, measures, and writes the tables of
docs/evaluation.md, its figures and results.json. EVALUATION_SEEDS=2 is a quick look at fewer seeds."""
import pathlib

import agreement
import aims
import forecasts
import gpu_trainings
import kinds
import measurements
import replayed
import results
import simulations
import tables
from figures import measured, prediction, scheduling, traces

HERE = pathlib.Path(__file__).resolve().parent
DOCUMENT = HERE.parent / "docs/evaluation.md"


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
    simulated = simulations.simulate(results.seeds())
    predicted = forecasts.Forecasts()
    divisions = measurements.kept("divisions", measurements.divisions, measurements.BENCH)
    iterations = measurements.kept("iterations", measurements.iterations, measurements.TRAINER)
    agreed = agreement.read()
    reached = aims.all_aims(simulated, predicted, divisions, agreed)
    figures = {"seeds": simulated.seeds, "simulations": simulated.json(), "forecasts": predicted.json(),
               "aims": [{"what": aim.what, "aim": aim.aim, "measured": aim.measured, "met": aim.met()}
                        for aim in reached],
               "cpuSecondsPerIteration": iterations, "divisionMilliseconds": divisions}
    results.write(HERE / "results.json", figures)
    tables.write(DOCUMENT, simulated, predicted, reached, agreed)
    gpu_trainings.write(DOCUMENT)
    kinds.write(DOCUMENT)
    replayed.write(DOCUMENT)
    draw(simulated, predicted, iterations, divisions)
    print(f"{simulated.seeds} seeds. What is aimed at, and what was measured:")
    for aim in reached:
        what, bound, value, met = aim.cells()
        print(f"  {'+' if met == 'yes' else '-'} {what:88} {value:>8}  ({bound})")


if __name__ == "__main__":
    main()
