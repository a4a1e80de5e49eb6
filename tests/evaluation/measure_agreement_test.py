"""What evaluation/measure_agreement.py makes of a run: figures of a job, and the time of a loss between two looks."""
import csv
import math
import pathlib
import subprocess
import sys
import tempfile
import unittest

EVALUATION = pathlib.Path(__file__).resolve().parents[2] / "evaluation"
sys.path.insert(0, str(EVALUATION))
from agreeing import alone, jobs, real, shaken, virtual  # noqa: E402


RESIZES = [(9.0, 0, 6), (18.0, 6, 4), (27.0, 4, 3), (36.0, 3, 2), (57.0, 2, 4), (72.0, 4, 6)]


def made_up_run(changes, end, figures):
    """A job's changes, and its iterations, of which four times a second is seen whether there is a new one."""
    samples, k, first = [], 0.0, changes[0]
    start = figures["start"] / first[2] + figures["startFixed"]
    for i in range(round(100 * first[0]), round(100 * end)):
        since, before, workers = next(change for change in reversed(changes) if change[0] <= i / 100)
        working = workers
        if before > workers and i / 100 < since + figures["shrink"] or i / 100 < first[0] + start:
            working = 0
        elif 0 < before < workers and i / 100 < since + figures["grow"]:
            working = before
        k += 0.01 / (figures["cost"] / working + figures["serial"]) if working else 0
        done = math.floor(k + 1e-9)
        if i % 25 == 24 and (not samples or samples[-1][1] != done):
            samples.append(((i + 1) / 100, done))
    return changes, real.looks(samples)


def figures_of(made_with):
    return alone.figures_from("a", made_up_run(RESIZES, 90, made_with), made_up_run([(3.0, 0, 2)], 15, made_with))


class Figures(unittest.TestCase):
    def test_are_those_that_the_runs_were_made_with(self):
        made_with = {"cost": 1.6, "serial": 0.1, "start": 6, "startFixed": 0.5, "shrink": 0.6, "grow": 2}
        found = figures_of(made_with)
        for figure, value in made_with.items():
            self.assertAlmostEqual(found[figure], value, delta=0.03 * value + 0.1, msg=figure)

    def test_of_a_job_without_anything_fixed_have_none(self):
        found = figures_of({"cost": 2.1, "serial": 0, "start": 4, "startFixed": 0, "shrink": 0, "grow": 0})
        self.assertAlmostEqual(found["cost"], 2.1, delta=0.03)
        self.assertAlmostEqual(found["serial"], 0, delta=0.01)
        self.assertAlmostEqual(found["start"], 4, delta=0.3)
        for figure in ("startFixed", "shrink", "grow"):
            self.assertLess(found[figure], 0.15)

    def test_do_not_hang_on_the_part_of_an_iteration_that_is_under_way(self):
        made_with = {"cost": 4, "serial": 0, "start": 6, "startFixed": 0, "shrink": 0, "grow": 0}
        found = figures_of(made_with)
        self.assertAlmostEqual(found["start"] / 2 + found["startFixed"], 3, delta=0.2)

    def test_need_a_job_that_lasts(self):
        made_with = {"cost": 1, "serial": 0, "start": 0, "startFixed": 0, "shrink": 0, "grow": 0}
        with self.assertRaisesRegex(SystemExit, "a is over too soon to be measured"):
            alone.figures_from("a", made_up_run(RESIZES[:2], 20, made_with), made_up_run([(3.0, 0, 2)], 15, made_with))

    def test_need_a_run(self):
        with self.assertRaisesRegex(SystemExit, "/nowhere has no run of svm by itself"):
            alone.figures_of("svm", pathlib.Path("/nowhere"))


class SecondsTo90(unittest.TestCase):
    def test_lie_between_two_looks_as_far_as_iterations_do(self):
        with tempfile.TemporaryDirectory() as directory:
            out = pathlib.Path(directory, "run")
            with open(f"{out}.csv", "w", newline="") as text:
                rows = csv.writer(text)
                rows.writerow(["job", "seconds", "iteration", "loss"])
                rows.writerows([["default/a", 10, 0, 1], ["default/b", 11, 9, 1], ["default/a", 12, 2, 1],
                                ["default/a", 16, 10, 1]])
            losses = [1 - k / 10 for k in range(11)]
            self.assertAlmostEqual(real.seconds_to_90(out, "a", losses, 4), 15.75 + 0.25 * 6.5 / 8 - 4)


class Workload(unittest.TestCase):
    def test_has_the_losses_of_the_run_together_and_the_pace_that_it_had(self):
        each = {"cost": 2, "serial": 0.1, "start": 8, "startFixed": 0.3, "shrink": 0.5, "grow": 1, "pace": 0.002}
        figures = {name: each for name in jobs.JOBS}
        with tempfile.TemporaryDirectory() as name:
            directory = pathlib.Path(name)
            for job in jobs.JOBS:
                lines = [f"{k},{1 / (1 + k)}" for k in range(jobs.MEASURED[job] + 1)]
                (directory / f"{job}.csv").write_text("\n".join(["iteration,loss", *lines]) + "\n")
            text = virtual.write_workload(figures, directory, 0.003, directory / "w.yaml").read_text()
            self.assertIn("cpuSecondsPerIteration: 3.000000, serialSecondsPerIteration: 0.100000", text)
            for job in jobs.JOBS:
                self.assertEqual(len(virtual.losses_of(job, directory)), jobs.ITERATIONS[job] + 1)
                self.assertIn(f"name: {job}, ", text)


class Shaken(unittest.TestCase):
    def setUp(self):
        self.usual = virtual.write_workload, virtual.simulate

    def tearDown(self):
        virtual.write_workload, virtual.simulate = self.usual

    def far(self, seconds_of):
        """Of 100 simulations of a job that takes so long at its figures and a pace."""
        figures = {"a": {"cost": 2, "start": 8, "startFixed": 0.3, "shrink": 0.5, "grow": 1, "pace": 0.002}}
        virtual.write_workload = lambda costs, directory, pace, path: (costs["a"], pace)
        virtual.simulate = lambda workload, *_: ({"a": seconds_of(*workload)}, 0)
        return shaken.moved(figures, pathlib.Path(), "LookAhead", "Ensemble", 100, 0.15)

    def test_count_what_goes_another_way_and_not_what_is_slower(self):
        self.assertEqual(self.far(lambda each, pace: each["cost"] * pace), 0)
        jumping = self.far(lambda each, pace: pace * (10 if each["cost"] > 2 else 8))
        self.assertTrue(30 < jumping < 70, jumping)
        self.assertTrue(0 < self.far(lambda each, pace: pace * each["grow"]) < 50)


class Program(unittest.TestCase):
    def test_says_in_one_sentence_what_is_missing(self):
        cases = {("--again",): "--again needs --keep", ("--runs", "0", "--shaken", "0"): "one of them more",
                 ("--runs", "-1"): "--runs and --shaken must be 0 at least",
                 ("--runs", "0", "--json", "x"): "--json needs --runs",
                 ("--policy", "Unfair"): "--policy"}
        for words, expected in cases.items():
            done = subprocess.run([EVALUATION / "measure_agreement.py", *words], capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 2)
            self.assertIn(expected, done.stderr)

    def test_names_the_programs_that_are_not_built(self):
        known, real.PROGRAMS = real.PROGRAMS, [pathlib.Path("/nowhere/slaq")]
        try:
            with self.assertRaisesRegex(SystemExit, "/nowhere/slaq can't be run; build them with: make build"):
                real.check_programs()
        finally:
            real.PROGRAMS = known


if __name__ == "__main__":
    unittest.main()
