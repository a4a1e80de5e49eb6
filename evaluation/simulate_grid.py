#!/usr/bin/python3
"""Runs the grid of simulations alone and writes what came of each row, seed by seed, for compare.py.
EVALUATION_SLAQ names another program, such as one of an earlier commit; EVALUATION_SEEDS says how many seeds."""
import argparse
import pathlib
import sys

import results
import simulations


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("output", type=pathlib.Path, help="a JSON file to write")
    options = parser.parse_args()
    simulated = simulations.Simulations(results.seeds())
    results.write(options.output, {"seeds": simulated.seeds, "simulations": simulated.json()})


if __name__ == "__main__":
    sys.exit(main())
