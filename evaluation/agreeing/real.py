"""`slaq run` of jobs on this machine, and what it tells of them."""
import csv
import os
import re
import subprocess
import sys
from pathlib import Path

from agreeing.pace import Pace

BIN = Path(__file__).resolve().parents[2] / "build/release/bin"
PROGRAMS = [BIN / "slaq", BIN / "slaq-trainer"]
EPOCH = 3
SCRAPE = 0.25  # how often `slaq run` reads losses
PRICE = "3,0,30"  # of a resize, as `slaq run` has it

_warned = set()


def _warn(sentence):
    if sentence not in _warned:
        print(sentence, file=sys.stderr)
    _warned.add(sentence)


def check_programs():
    missing = [str(program) for program in PROGRAMS if not os.access(program, os.X_OK)]
    if missing:
        sys.exit(f"{' and '.join(missing)} can't be run; build them with: make build")


def _give_weight(line):
    """What else this machine does should not count: the run's control group goes before it, where that is allowed."""
    if "the CPU is divided by" not in line:
        return
    found = re.search(r"cgroup v[12] at (\S+?)\.?$", line.strip())
    if not found:
        return _warn("No control group can be written here: limits are held by stopping processes, and whatever else "
                     "runs slows the jobs. Run as root, or expect larger differences.")
    for file, weight in (("cpu.shares", "262144"), ("cpu.weight", "10000")):
        path = Path(found.group(1)) / file
        try:
            if path.exists():
                path.write_text(weight)
        except OSError as error:
            _warn(f"{path} can't be written ({error.strerror}): whatever else runs slows the jobs.")


def _listen(process, said):
    for line in process.stderr:
        said.append(line)
        _give_weight(line)


def run(files, cores, interarrival, out, policy="Fair", predictor="Published"):
    """Runs the jobs; what each saw is in `out`.csv, what was decided and why in `out`.log, the machine's pace in
    `out`.pace."""
    command = [BIN / "slaq", "run", *files, "--policy", policy, "--predictor", predictor, "--cores", cores,
               "--interarrival", str(interarrival), "--epoch", str(EPOCH), "--plain", "--losses", f"{out}.csv"]
    said = []
    with open(f"{out}.log", "w", encoding="utf-8") as log, Pace() as pace, subprocess.Popen(
            command, stdout=log, stderr=subprocess.PIPE, text=True) as process:
        _listen(process, said)
    if process.returncode != 0:
        sys.exit(f"slaq run failed ({out}.log): " + "".join(said[-3:]).strip())
    Path(f"{out}.pace").write_text(f"{pace.seconds()}\n", encoding="utf-8")


def pace_of(out):
    return float(Path(f"{out}.pace").read_text(encoding="utf-8"))


def changes_of(out):
    """(second, workers before, after) by job."""
    changes = {}
    for line in Path(f"{out}.log").read_text(encoding="utf-8").splitlines():
        found = re.match(r"\s*([\d.]+) s\s+default/(\S+)\s+(\d+) -> (\d+) worker", line)
        if found:
            time, name, before, after = found.groups()
            changes.setdefault(name, []).append((float(time), int(before), int(after)))
    return changes


def looks(news):
    """(second, iteration) as they were read, from the times when an iteration was new: the look before each of these still
    saw the one before, and the look after the last one saw it again."""
    samples = news[:1]
    for time, k in news[1:]:
        if time - SCRAPE > samples[-1][0]:
            samples.append((time - SCRAPE, samples[-1][1]))
        samples.append((time, k))
    return samples + [(time + SCRAPE, k) for time, k in news[-1:]]


def samples_of(out, name):
    """(second, iteration) as they were read. The file has each loss when it was new."""
    with open(f"{out}.csv", newline="", encoding="utf-8") as text:
        return looks([(float(row["seconds"]), float(row["iteration"])) for row in csv.DictReader(text)
                      if row["job"] == "default/" + name])


def seconds_to_90(out, name, losses, arrival):
    """Between two looks by the iterations done, the last of which ended half an iteration ago, as is likely. `losses`
    are the whole training's, by iteration."""
    bound = losses[0] - 0.9 * (losses[0] - min(losses))
    goal = next(k for k, loss in enumerate(losses) if loss <= bound)
    before = (arrival, 0.0)
    for time, k in samples_of(out, name):
        if k >= goal:
            share = (goal - before[1] - 0.5) / (k - before[1]) if k > before[1] else 1
            return before[0] + (time - before[0]) * share - arrival
        before = (time, k)
    sys.exit(f"{name} never came to 90% of its reduction ({out}.csv)")
