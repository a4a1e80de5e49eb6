"""Runs slaq's subcommands, a few at a time, and keeps their answers under build/evaluation.

An answer is kept by what it follows from: the program, its arguments and every file that it reads.
"""
import concurrent.futures
import functools
import hashlib
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = pathlib.Path(os.environ.get("EVALUATION_SLAQ", ROOT / "build/release/bin/slaq"))
KEPT = ROOT / "build/evaluation"
AT_A_TIME = int(os.environ.get("EVALUATION_AT_A_TIME", "2"))


@functools.cache
def digest(path):
    return hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest()


def _key(arguments, reads):
    parts = [digest(PROGRAM), *arguments, *(digest(path) for path in reads)]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:32]


def answer(arguments, reads, series=None):
    """What `slaq ARGUMENTS --output json` says; with `series`, that file is written and kept as well."""
    kept = KEPT / "answers" / f"{_key(arguments, reads)}.json"
    if kept.exists() and (series is None or series.exists()):
        return json.loads(kept.read_text())
    kept.parent.mkdir(parents=True, exist_ok=True)
    said = _run([*arguments, "--output", "json", *(["--series", str(series)] if series else [])])
    result = json.loads(said)
    kept.write_text(said)
    return result


def _run(arguments):
    command = [str(PROGRAM), *arguments]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}: {done.stderr.strip()}")
    return done.stdout


def file(flag, arguments, reads):
    """The text that `slaq ARGUMENTS` writes into the file of a flag, such as --jobs."""
    kept = KEPT / "files" / f"{_key([flag, *arguments], reads)}.txt"
    if not kept.exists():
        kept.parent.mkdir(parents=True, exist_ok=True)
        unfinished = kept.with_suffix(".part")
        _run([*arguments, flag, str(unfinished)])
        unfinished.replace(kept)
    return kept.read_text()


class Bar:
    """How much is done: a bar on a terminal; elsewhere at most ten lines."""

    def __init__(self, what, total):
        self._what, self._total, self._done = what, total, 0

    def step(self):
        tenths = 10 * self._done // self._total
        self._done += 1
        if sys.stderr.isatty():
            filled = 30 * self._done // self._total
            end = "\n" if self._done == self._total else ""
            print(f"\r{self._what} [{'#' * filled:.<30}] {self._done}/{self._total}", end=end, file=sys.stderr)
        elif 10 * self._done // self._total > tenths:
            print(f"{self._what}: {self._done} of {self._total} done", file=sys.stderr, flush=True)


class Counter:
    """How much is done of work of which nobody knows how much it is; on a terminal, elsewhere a line at the end."""

    def __init__(self, what, unit):
        self._what, self._unit, self._done = what, unit, 0

    def step(self):
        self._done += 1
        if sys.stderr.isatty():
            print(f"\r{self._what}: {self._done} {self._unit}", end="", file=sys.stderr, flush=True)

    def end(self):
        print(f"\r{self._what}: {self._done} {self._unit}, done", file=sys.stderr, flush=True)


def for_all(what, function, items):
    """[function(item)...], a few at a time, with a bar."""
    items = list(items)
    bar = Bar(what, len(items))

    def one(item):
        result = function(item)
        bar.step()
        return result

    with concurrent.futures.ThreadPoolExecutor(AT_A_TIME) as pool:
        return list(pool.map(one, items))
