#!/usr/bin/python3
"""Runs the trainings of programs.py with people's libraries under slaq-report, under `slaq run`, and on a real kubelet, and
compares each loss that is read with what the training itself recorded. Writes the table of docs/your-trainer.md, unless a
loss is another's: then it fails. `make libraries` installs the libraries (7 GB) and takes ten minutes."""
import math
import os
import pathlib
import subprocess
import sys
import tempfile

from kubernetes import ROOT, Kubernetes
from programs import PROGRAMS, rows, worst_difference

sys.path.append(str(ROOT / "evaluation"))
import document  # noqa: E402

BIN = ROOT / "build/release/bin"
DOCUMENT = ROOT / "docs/your-trainer.md"
WAYS = ("slaq-report", "slaq run", "Kubernetes")
# Most programs train on this number of rows. Then an iteration takes long enough to be seen by a reader that looks a few
# times a second.
ROWS = 60000
ENVIRONMENT = {"RECORD": "told.csv", "HF_HUB_OFFLINE": "1", "ROWS": str(ROWS)}


def by_slaq_report(source, folder):
    run([BIN / "slaq-report", "--record", "seen.csv", "--from", source, "--", sys.executable, "train.py"], folder)
    return rows(folder / "seen.csv")


def by_slaq_run(source, folder):
    sources = [] if source == "output" else ["--from", source]
    run([BIN / "slaq", "run", "--plain", "--losses", "seen.csv", *sources, "--", sys.executable, "train.py"], folder)
    return rows(folder / "seen.csv")


def run(command, folder):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False,
                          env={**os.environ, **ENVIRONMENT})
    if done.returncode:
        raise RuntimeError(f"{' '.join(str(each) for each in command)}: {done.stderr[-2000:]}{done.stdout[-2000:]}")


class Table:
    def __init__(self, folder):
        self._folder = pathlib.Path(folder)
        self.worst = {}  # by program: how far its losses are off in all ways
        self.recorded = {}  # by program: how many losses it recorded
        self.read = {}  # by program and way: how many of them were read
        self.wrong = []  # sentences

    def folder_of(self, program, way):
        folder = self._folder / f"{PROGRAMS.index(program)}-{way.replace(' ', '-')}"
        if not folder.exists():
            folder.mkdir()
            (folder / "train.py").write_text(program.text, encoding="utf-8")
        return folder

    def compare(self, program, way, found):
        recorded = rows(self.folder_of(program, way) / "told.csv")
        worst = worst_difference(program, found, recorded) if found else None
        is_last = bool(found) and found[-1][0] == recorded[-1][0]
        print(f"{way:12} {program.name}: {len(found)} of {len(recorded)} losses, off by {worst}", flush=True)
        if worst is None or not is_last:
            self.wrong.append(f"{program.name}, {way}: read {found}, recorded {recorded}")
            return
        self.recorded[program] = len(recorded)
        self.read[program, way] = len(dict(found))
        self.worst[program] = max(worst, self.worst.get(program, 0.0))

    def run_here(self):
        for program in PROGRAMS:
            for way, function in zip(WAYS, (by_slaq_report, by_slaq_run)):
                self.compare(program, way, function(program.source, self.folder_of(program, way)))

    def run_on(self, kubernetes):
        way = WAYS[2]
        names = {program: f"training-{i}" for i, program in enumerate(PROGRAMS)}
        for program, name in names.items():
            kubernetes.start(name, program.source, self.folder_of(program, way), ENVIRONMENT)
        for program, name in names.items():
            told = self.folder_of(program, way) / "told.csv"
            kubernetes.wait(f"{name} has trained", told.exists)
            last = rows(told)[-1][0]
            kubernetes.wait(f"{name}'s last loss is read", lambda name=name, last=last: (
                kubernetes.status(name).get("progress", {}).get("iteration") == last and
                [k for k, _ in kubernetes.pairs(name)][-1:] == [last]))
            (self.folder_of(program, way) / "seen").touch()
            self.compare(program, way, kubernetes.pairs(name))
            kubernetes.wait(f"{name} is complete", lambda name=name: kubernetes.status(name).get("state") == "Complete")

    def text(self):
        lines = []
        for program in PROGRAMS:
            lines.append([program.name, program.version(), f"`{program.source}`", str(self.recorded[program]),
                          *(str(self.read[program, way]) for way in WAYS), digits(self.worst[program])])
        return document.table(["training", "version", "`--from`", "losses", *(f"read by {way}" for way in WAYS[:2]), f"on {WAYS[2]}",
                               "equal digits"], lines)


def digits(difference):
    """How many a difference leaves, as a part of the number."""
    return "all" if difference < 1e-12 else str(math.floor(-math.log10(difference)))


def main():
    missing = [program.name for program in PROGRAMS if not program.is_installed()]
    if missing:
        sys.exit(f"these libraries are not installed: {', '.join(missing)}; `make libraries` installs them")
    with tempfile.TemporaryDirectory() as folder:
        table = Table(folder)
        table.run_here()
        with Kubernetes() as kubernetes:
            table.run_on(kubernetes)
        if table.wrong:
            sys.exit("\n".join(table.wrong))
        DOCUMENT.write_text(document.put(DOCUMENT.read_text(), "table of libraries", table.text()))


if __name__ == "__main__":
    main()
