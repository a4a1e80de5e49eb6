"""Trains with slaq-trainer and with an independent implementation on the same data, and compares.

A check is a script of its own: it exports the data, runs a driver with workers, computes with scikit-learn what
the loss should come to, and says so with expect(). Its argument is the slaq-trainer program. Where scikit-learn
is not installed it is skipped, by exit code 77.
"""
import csv
import os
import re
import struct
import subprocess
import sys
import tempfile
import time

try:
    import numpy as np
    import sklearn  # noqa: F401
except ImportError:
    print("scikit-learn is not installed; see scripts/install-deps --test")
    sys.exit(77)

PATIENCE = 300  # seconds after which something hangs


class Trainer:
    """Runs the program; everything that it writes goes to a folder that ends with this object."""

    def __init__(self, program=None):
        self.program = program or sys.argv[1]
        self._folder = tempfile.TemporaryDirectory(prefix="slaq-reference-")

    def path(self, name):
        return os.path.join(self._folder.name, name)

    def export(self, *flags, format="csv"):
        """The path of the problem's data in that format."""
        path = self.path("data." + format)
        subprocess.run([self.program, "data", *flags, "--format", format, "--output", path], check=True)
        return path

    def rows(self, *flags):
        """The problem's features and targets as arrays of doubles."""
        table = np.loadtxt(self.export(*flags), delimiter=",", skiprows=1, ndmin=2)
        return table[:, :-1], table[:, -1]

    def _driver(self, flags):
        log = open(self.path("driver.log"), "w")
        driver = subprocess.Popen([self.program, "driver", "--listen=127.0.0.1:0", "--metrics-port=0", "--linger=0",
                                   *flags], stderr=log)
        return driver, self._read("driver.log", r"workers on port (\d+)", driver).group(1)

    def _read(self, name, pattern, driver):
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            text = open(self.path(name)).read()
            found = re.search(pattern, text)
            if found:
                return found
            if driver.poll() is not None:
                sys.exit(text)
            time.sleep(0.01)
        sys.exit("nothing like " + pattern)

    def train(self, *flags, workers=3):
        """The loss after each iteration, the first one before any."""
        history = self.path("history.csv")
        driver, port = self._driver([*flags, "--history=" + history])
        environment = {**os.environ, "SLAQ_DRIVER_ADDRESS": "127.0.0.1:" + port}
        crew = [subprocess.Popen([self.program, "worker"], env=environment, stderr=subprocess.DEVNULL)
                for _ in range(workers)]
        status = driver.wait(PATIENCE)
        for worker in crew:
            worker.wait(PATIENCE)
        if status != 0:
            sys.exit(open(self.path("driver.log")).read())
        with open(history) as file:
            return np.array([float(line["loss"]) for line in csv.DictReader(file)])

    def first_state(self, field, *flags):
        """A vector that the algorithm archives, as it is before the first round, out of a checkpoint."""
        checkpoint = self.path("first.checkpoint")
        driver, _ = self._driver([*flags, "--checkpoint=" + checkpoint])
        driver.terminate()
        driver.wait(PATIENCE)
        bytes_ = open(checkpoint, "rb").read()
        tag = struct.pack("=Q", len(field)) + field.encode()
        at = bytes_.index(tag) + len(tag)
        size = struct.unpack_from("=Q", bytes_, at)[0]
        return np.frombuffer(bytes_, dtype="f8", count=size, offset=at + 8)


def expect(what, ours, theirs, tolerance):
    """Ends the check as failed unless the two agree within that share."""
    error = abs(ours - theirs) / abs(theirs)
    print(f"{what}: {ours:.9g}, scikit-learn {theirs:.9g}, apart by {error:.2e} of at most {tolerance:.0e}")
    if not error <= tolerance:
        sys.exit("they differ")
