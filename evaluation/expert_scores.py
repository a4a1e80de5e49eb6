"""The errors of tables of experts, by the program slaq-score-experts (evaluation/scoring)."""
import functools
import subprocess
from dataclasses import dataclass

import numpy as np

import constants_file
import runs

PROGRAM = runs.ROOT / "build/release/bin/slaq-score-experts"
EVERY = 4  # forecasts are scored at every 4th iteration that is seen
KEPT = 200  # answers of a third of a megabyte each


@dataclass(frozen=True)
class Series:
    truth: list
    seen: list  # (iteration, loss) pairs
    range: float

    def words(self):
        yield from (repr(self.range), str(len(self.truth)), str(len(self.seen)))
        yield from map(repr, self.truth)
        yield from (str(iteration) for iteration, _ in self.seen)
        yield from (repr(loss) for _, loss in self.seen)


class ExpertScores:
    """Of (key, series) pairs. A table is a list of candidates' numbers, one of them 0."""

    def __init__(self, keyed_series, every=EVERY, program=PROGRAM):
        self.keys = [key for key, _ in keyed_series]
        self._process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._say(f"{every} {len(keyed_series)}")
        for _, series in keyed_series:
            self._say(" ".join(series.words()))
        self._of_sorted = functools.lru_cache(KEPT)(self._ask)  # fits that leave out little ask for the same tables

    def with_each_added(self, table):
        """The errors by (series in the order of the keys, of the range or of the loss, candidate added)."""
        return self._of_sorted(tuple(sorted(table)))

    def of(self, table):
        """The errors of each series by the table itself: of the range, and of the loss."""
        return self.with_each_added(table[:-1])[:, :, table[-1]]

    def _say(self, line):
        self._process.stdin.write(line.encode() + b"\n")

    def _ask(self, table):
        self._say(f"{len(table)} {' '.join(map(str, table))}")
        self._process.stdin.flush()
        size = len(self.keys) * 2 * len(constants_file.EXPERTS)
        told = self._process.stdout.read(size * np.dtype(np.float32).itemsize)
        return np.frombuffer(told, np.float32, size).reshape(len(self.keys), 2, -1)
