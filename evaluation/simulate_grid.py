#!/usr/bin/python3
"""Runs simulations and forecasts alone and writes what came of each row, seed by seed, for compare.py. EVALUATION_SLAQ
names another program, such as one of an earlier commit, and EVALUATION_SEEDS says how many seeds."""
import argparse
import pathlib

import forecasts
import results
import simulations


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("output", type=pathlib.Path, help="a JSON file to write")
    parser.add_argument("--no-constants", action="store_true", help="the program takes no constants: no held-out rows")
    options = parser.parse_args()
    held_out = not options.no_constants
    predicted = forecasts.Forecasts(held_out)
    simulated = simulations.simulate(results.seeds(), held_out)
    results.write(options.output, {"seeds": simulated.seeds, "simulations": simulated.json(),
                                   "forecasts": predicted.json()})


if __name__ == "__main__":
    main()
