#!/usr/bin/python3
"""Records the traces that traces.yaml describes, by training with slaq-trainer, and writes their index.

A trace is what the trainer's own --history says, to seven significant digits, up to where the training has
settled. The losses follow from the settings and the seed alone, so that a second recording gives the same bytes (on
the same model of CPU).
"""
import argparse
import concurrent.futures
import csv
import pathlib
import re
import subprocess
import sys
import tempfile
import time

import yaml

HERE = pathlib.Path(__file__).resolve().parent
ITERATIONS = 300  # at most
LEAST = 120  # iterations, so that forecasts can be tried up to the 100th
SETTLED = 1e-4  # of the whole reduction, as in the paper's figure 1: converged when five iterations change less
PATIENCE = 600  # seconds after which a training hangs


def trainings(path):
    """Every trace of the table, with its name, its group's properties and its flags."""
    counts, seed = {}, 0
    for group in yaml.safe_load(path.read_text()):
        algorithm = group["algorithm"]
        for own in group["traces"]:
            seed += 1
            counts[algorithm] = counts.get(algorithm, 0) + 1
            flags = {"seed": seed, "iterations": ITERATIONS, **group["common"], **own}
            if algorithm.startswith("boosted-trees"):
                flags["trees"] = flags["iterations"]
            yield {"name": f"{algorithm}-{counts[algorithm]:02}", "algorithm": algorithm,
                   "convex": "yes" if group["convex"] else "no", "convergence": group["convergence"],
                   "flags": flags}


def port_of(driver, log):
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        text = log.read_text()
        if found := re.search(r"workers on port (\d+)", text):
            return found.group(1)
        if driver.poll() is not None:
            raise RuntimeError(text.strip())
        time.sleep(0.01)
    raise RuntimeError("the driver opens no port")


def train(program, training):
    """The (iteration, loss) pairs of one training by one worker."""
    with tempfile.TemporaryDirectory(prefix="slaq-trace-") as folder:
        history, log = pathlib.Path(folder, "history.csv"), pathlib.Path(folder, "log")
        flags = [f"--{key}={value}" for key, value in training["flags"].items()]
        driver = subprocess.Popen([program, "driver", "--algorithm", training["algorithm"], *flags, "--tolerance=0",
                                   "--listen=127.0.0.1:0", "--metrics-port=0", "--linger=0", f"--history={history}"],
                                  stderr=log.open("w"))
        worker = None
        try:
            address = "127.0.0.1:" + port_of(driver, log)
            worker = subprocess.Popen([program, "worker"], env={"SLAQ_DRIVER_ADDRESS": address},
                                      stderr=subprocess.DEVNULL)
            if driver.wait(PATIENCE) != 0:
                raise RuntimeError(log.read_text().strip())
            worker.wait(PATIENCE)
        finally:
            for process in (driver, worker):
                if process and process.poll() is None:
                    process.kill()
        with history.open() as file:
            return settled([(int(row["iteration"]), float(row["loss"])) for row in csv.DictReader(file)])


def settled(pairs, at_least=LEAST):
    """The pairs up to where the training has converged."""
    losses = [loss for _, loss in pairs]
    least = SETTLED * (losses[0] - min(losses))
    for end in range(at_least, len(losses)):
        if all(abs(losses[k] - losses[k - 1]) < least for k in range(end - 4, end + 1)):
            return pairs[:end + 1]
    return pairs


def write(folder, training, pairs):
    lines = ["iteration,loss", *(f"{iteration},{loss:.7g}" for iteration, loss in pairs)]
    (folder / f"{training['name']}.csv").write_text("\n".join(lines) + "\n")


def write_index(folder, rows):
    lines = ["name,algorithm,convex,convergence,iterations"]
    for training, pairs in rows:
        lines.append(",".join([training["name"], training["algorithm"], training["convex"],
                               training["convergence"], str(pairs[-1][0])]))
    (folder / "index.csv").write_text("\n".join(lines) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--trainer", default=HERE.parent / "build/release/bin/slaq-trainer", type=pathlib.Path)
    parser.add_argument("--output", default=HERE / "traces", type=pathlib.Path)
    parser.add_argument("--jobs", default=2, type=int, help="trainings at a time")
    options = parser.parse_args()
    options.output.mkdir(exist_ok=True)
    table = list(trainings(HERE / "traces.yaml"))
    rows = []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        recorded = pool.map(lambda training: train(str(options.trainer), training), table)
        for training, pairs in zip(table, recorded):
            write(options.output, training, pairs)
            rows.append((training, pairs))
            print(f"\r{len(rows)}/{len(table)} {training['name']:32}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    write_index(options.output, rows)


if __name__ == "__main__":
    main()
