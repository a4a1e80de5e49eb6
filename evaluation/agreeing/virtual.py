"""`slaq simulate` of the same jobs."""
import csv
import json
import subprocess
import sys

from agreeing import jobs, real

INTERARRIVAL = 11.5  # s; no arrival falls on an epoch
RELEASE = 0.5  # seconds until a worker that was told to go is gone: before the next epoch


def losses_of(name, directory):
    """Of the whole training, which goes on for longer where it is measured."""
    with open(directory / f"{name}.csv", newline="", encoding="utf-8") as text:
        losses = [float(row["loss"]) for row in csv.DictReader(text)]
    if len(losses) <= jobs.ITERATIONS[name]:
        sys.exit(f"{name} ended after {len(losses) - 1} iterations; give it {len(losses) - 1} at most")
    return losses[:jobs.ITERATIONS[name] + 1]


def write_workload(figures, directory, pace, workload):
    """As the figures say, with all CPU time as long as it is at that pace."""
    # Workers are called ready as soon as their processes run.
    lines = [f"cores: {jobs.ALL}", f"epochSeconds: {real.EPOCH}", f"scrapeSeconds: {real.SCRAPE}",
             f"lingerSeconds: {jobs.LINGER}",
             "resizeBlocks: false", "readySeconds: 0", f"releaseSeconds: {RELEASE}", "jobs:"]
    for i, (name, each) in enumerate(figures.items()):
        slower = pace / each["pace"]
        losses = losses_of(name, directory)
        trace = directory / f"{name}-trace.csv"
        trace.write_text("iteration,loss\n" + "".join(f"{k},{loss!r}\n" for k, loss in enumerate(losses)))
        lines.append(f"  - {{name: {name}, arrivalSeconds: {i * INTERARRIVAL}, trace: {trace.name}, "
                     f"cpuSecondsPerIteration: {slower * each['cost']:.6f}, "
                     f"serialSecondsPerIteration: {each['serial']:.6f}, "
                     f"startSeconds: {each['startFixed']:.3f}, startCpuSeconds: {slower * each['start']:.3f}, "
                     f"resizeSeconds: {slower * each['grow']:.3f}, "
                     f"shrinkSeconds: {slower * each['shrink']:.3f}, maxReplicas: {jobs.MOST}}}")
    workload.write_text("\n".join(lines) + "\n")
    return workload


def simulate(workload, policy, predictor, out):
    """Seconds to 90% by job, and how many resizes there were; what was decided and why is in `out`.log."""
    done = subprocess.run(
        [real.BIN / "slaq", "simulate", workload, "--policy", policy, "--predictor", predictor, "--resize-price",
         real.PRICE, "--jobs", f"{out}.csv", "--changes", f"{out}.log"], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit("slaq simulate failed: " + done.stderr.strip())
    with open(f"{out}.csv", newline="", encoding="utf-8") as text:
        return ({row["name"]: float(row["secondsTo90"]) for row in csv.DictReader(text)},
                json.loads(done.stdout)["resizes"])
