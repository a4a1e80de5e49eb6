#!/usr/bin/env python3
"""Compares `slaq run` of real trainers on this machine with `slaq simulate` of the same workload.

Each job is measured by itself first, with neighbours that keep the other cores busy: the time of an iteration and of
a start with many and with few workers, and what a shrink and a growth cost. These figures and the
trainer's own history of its loss become a workload. Then all jobs run together, really and in virtual time, under
the same policy; printed is each job's time to 90% of its loss reduction in both. Runs are repeated, and what counts is
the median; how far the real ones lie apart says what agreement is possible. As the machine is not always equally
fast, a fixed piece of work is timed throughout, and the simulation is made at the pace that the real run had. At last
the same jobs are simulated at slightly other costs, which says how much of an agreement is chance.
"""
import argparse
import json
import statistics
import sys
import tempfile
from pathlib import Path

from agreeing import alone, jobs, real, shaken, virtual

AIM = 0.15
PREDICTORS = {"LookAhead": "Ensemble"}  # the others are as published
POLICIES = ["LookAhead", "Fair", "TotalQuality"]
CHOICES = [*POLICIES, "MinQuality", "LeastAttainedService"]


def really(policy, predictor, directory, out):
    """Seconds to 90% by job, and resizes."""
    files = [jobs.write_job(directory / f"{name}-together.yaml", name, directory / f"{name}-together.csv",
                            jobs.ITERATIONS[name]) for name in jobs.JOBS]
    real.run(files, f"{round(1000 * jobs.ALL * jobs.WORKER) + len(files)}m", virtual.INTERARRIVAL, out, policy,
             predictor)
    times = {name: real.seconds_to_90(out, name, virtual.losses_of(name, directory), i * virtual.INTERARRIVAL)
             for i, name in enumerate(jobs.JOBS)}
    return times, sum(1 for each in real.changes_of(out).values() for _, before, _ in each if before > 0)


def both(policy, predictor, figures, directory, number):
    """One run really, and then in virtual time at the pace that the machine had."""
    out = directory / f"real-{policy}-{number}"
    times, resizes = really(policy, predictor, directory, out)
    pace = real.pace_of(out)
    workload = virtual.write_workload(figures, directory, pace, directory / f"workload-{policy}-{number}.yaml")
    simulated, simulated_resizes = virtual.simulate(workload, policy, predictor,
                                                    directory / f"simulated-{policy}-{number}")
    return {"real": times, "simulated": simulated, "pace": pace, "resizes": [resizes, simulated_resizes]}


def job_of(runs, name):
    real_times, simulated = ([run[world][name] for run in runs] for world in ("real", "simulated"))
    middle = statistics.median(real_times)
    return {"real": real_times, "simulated": simulated,
            "difference": statistics.median(b / a - 1 for a, b in zip(real_times, simulated)),
            "spread": max(max(real_times) / middle - 1, 1 - min(real_times) / middle)}


def compare(policy, figures, directory, count):
    """Prints a table; what it says, as a value."""
    predictor = PREDICTORS.get(policy, "Published")
    runs = [both(policy, predictor, figures, directory, number + 1) for number in range(count)]
    told = {"predictor": predictor, "jobs": {name: job_of(runs, name) for name in jobs.JOBS}}
    print(f"{policy}, {predictor}: seconds to 90%    real    from      to  simulated  difference")
    for name, job in told["jobs"].items():
        print(f"  {name:34s} {statistics.median(job['real']):7.1f} {min(job['real']):7.1f} {max(job['real']):7.1f} "
              f"{statistics.median(job['simulated']):10.1f} {100 * job['difference']:+10.1f}%")
    for what in ("difference", "spread"):
        told["worst" + what.capitalize()] = max(abs(job[what]) for job in told["jobs"].values())
    print(f"  worst difference {100 * told['worstDifference']:.1f}% (aim: {100 * AIM:.0f}%); a real run from their "
          f"median {100 * told['worstSpread']:.1f}%")
    print("  resizes, real and simulated: " + ", ".join("{} and {}".format(*run["resizes"]) for run in runs)
          + "; the same work took " + ", ".join(f"{1000 * run['pace']:.2f}" for run in runs) + " ms", flush=True)
    return told


def tell_chance(policy, figures, directory, count):
    far = shaken.moved(figures, directory, policy, PREDICTORS.get(policy, "Published"), count, AIM)
    print(f"{policy}: in {far} of {count} simulations at slightly other costs some job's time moves by more than "
          f"{100 * AIM:.0f}%", flush=True)
    return far


def figures_of(directory, again):
    figures = {}
    print("By itself:  CPU s/iteration  serial s  CPU s to start  besides, s  shrink s  grow s  same work, ms")
    for name in jobs.JOBS:
        if not again:
            alone.run(name, directory)
        each = figures[name] = alone.figures_of(name, directory)
        # The workers of the workload are whole cores; these have a part of one.
        print(f"  {name:10s} {each['cost'] * jobs.WORKER:14.4f} {each['serial']:9.4f} "
              f"{each['start'] * jobs.WORKER:15.2f} {each['startFixed']:11.2f} {each['shrink']:9.2f} "
              f"{each['grow']:7.2f} "
              f"{1000 * each['pace']:14.2f}", flush=True)
    return figures


def options_of(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--policy", action="append", choices=CHOICES, metavar="POLICY",
                        help=f"what to compare under; can be given again ({', '.join(POLICIES)})")
    parser.add_argument("--runs", type=int, default=3, help="real runs under each (3)")
    parser.add_argument("--keep", help="a directory for the files, to be kept")
    parser.add_argument("--again", action="store_true", help="take the jobs' own runs from there")
    parser.add_argument("--shaken", type=int, default=200, metavar="N",
                        help="simulations at slightly other costs, which say how much of it is chance (200)")
    parser.add_argument("--json", help="a file for the figures")
    options = parser.parse_args(arguments)
    if options.runs < 0 or options.shaken < 0 or options.runs + options.shaken == 0:
        parser.error("--runs and --shaken must be 0 at least, and one of them more")
    if options.json and options.runs == 0:
        parser.error("--json needs --runs: its table is of real runs")
    if options.again and not options.keep:
        parser.error("--again needs --keep: the directory of the run before")
    return options


def main():
    options = options_of(sys.argv[1:])
    real.check_programs()
    with tempfile.TemporaryDirectory() as temporary:
        directory = Path(options.keep or temporary).resolve()
        directory.mkdir(parents=True, exist_ok=True)
        figures = figures_of(directory, options.again)
        policies = options.policy or POLICIES
        told = {policy: compare(policy, figures, directory, options.runs) for policy in policies if options.runs}
        chance = {policy: tell_chance(policy, figures, directory, options.shaken)
                  for policy in policies if options.shaken}
    if options.json:
        found = {"aim": AIM, "policies": told, "shaken": {"simulations": options.shaken, "far": chance}}
        Path(options.json).write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
