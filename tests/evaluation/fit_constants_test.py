"""Constants are fitted to what is left in alone, and their files are read as they were written."""
import pathlib
import sys
import tempfile
import unittest

try:
    import fit_constants
except ImportError:
    print("python3-numpy is not installed; see scripts/install-deps --evaluation")
    sys.exit(77)

import numpy as np

import constants_file
import workloads


class FirstCurve(unittest.TestCase):
    def test_levels_begin_below_1_and_end_at_0(self):
        halves = [2.0 ** -k for k in range(300)]
        levels = fit_constants.levels_of(halves)
        self.assertAlmostEqual(levels[0], 0.5)
        self.assertAlmostEqual(levels[-1], 0)

    def test_a_training_that_is_over_stays_at_its_end(self):
        self.assertEqual(fit_constants.levels_of([1.0, 0.0])[1:], [0.0] * 14)

    def test_the_mean_of_all_traces_falls(self):
        curve = fit_constants.first_curve(workloads.index())
        self.assertEqual(curve, sorted(curve, reverse=True))
        self.assertTrue(0 < curve[-1] < curve[0] < 1)


class LeftIn(unittest.TestCase):
    def test_nothing_of_an_algorithm_that_is_left_out_remains(self):
        rows = fit_constants.left_in(["k-means"])
        self.assertFalse([row for row in rows if row["algorithm"] == "k-means"])
        self.assertEqual(len(rows), len(workloads.index()) - 12)

    def test_non_convex_traces_of_all_algorithms_can_be_left_out(self):
        self.assertEqual({row["convex"] for row in fit_constants.left_in(["non-convex"])}, {"yes"})

    def test_there_is_a_file_for_each_trace_and_it_is_named_for_what_it_left_out(self):
        for row in workloads.index():
            self.assertTrue(workloads.constants_without(row).is_file(), row["name"])


class MadeUpScores:
    """Each series has an expert of its own that forecasts it, and other experts do harm."""
    keys = [("yes dense", "a"), ("yes dense", "b")]

    def with_each_added(self, table):
        errors = np.ones((2, 2, len(constants_file.EXPERTS)))
        for series, good in enumerate((7, 30)):
            errors[series] = 1.0 if good in table else 2.0
            errors[series, :, good] = 1.0
        return errors + 0.01 * np.arange(len(constants_file.EXPERTS)) / 80


class Search(unittest.TestCase):
    def setUp(self):
        self.objective = fit_constants.Objective(MadeUpScores(), [{"name": "a"}, {"name": "b"}])

    def test_takes_the_experts_that_help(self):
        _, table = fit_constants.greedy(self.objective, lambda: None)
        self.assertEqual(len(set(table)), 16)
        self.assertLessEqual({0, 7, 30}, set(table))

    def test_a_swap_brings_in_an_expert_that_helps(self):
        start = [0, *range(40, 55)]
        score, table = fit_constants.swapped(self.objective, float("inf"), start, lambda: None)
        self.assertEqual(len(set(table)), 16)
        self.assertLessEqual({0, 7, 30}, set(table))
        self.assertLess(score, 0.1)


class Files(unittest.TestCase):
    def test_are_read_as_they_were_written(self):
        curve, table = [round(0.9 - 0.05 * i, 4) for i in range(15)], [0, *range(3, 18)]
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "a.yaml")
            constants_file.write(path, curve, table)
            self.assertEqual(constants_file.read(path), (curve, table))

    def test_all_hold_fifteen_levels_and_sixteen_different_experts(self):
        for path in constants_file.FOLDER.glob("*.yaml"):
            curve, table = constants_file.read(path)
            self.assertEqual((len(curve), len(set(table)), table[0]), (15, 16, 0), path.name)

    def test_the_product_is_built_with_those_of_its_file(self):
        source = constants_file.SOURCE.read_text()
        made = constants_file.with_constants(source, *constants_file.read(constants_file.FOLDER / "product.yaml"))
        self.assertEqual(made.split(), source.split())

    def test_the_source_gets_other_constants_and_stays_as_it_is_around_them(self):
        source = (".experts = {{\n          {.shape = Shape::Level},\n      }},\n"
                  ".firstCurve = {0.5,\n 0.25},\nend")
        made = constants_file.with_constants(source, [0.75, 0.5], [0, 1])
        self.assertEqual(made, ".experts = {{\n          {.shape = Shape::Level},\n"
                               "          {Shape::Hyperbola, View::Points4, Floor::Known},\n      }},\n"
                               ".firstCurve = {0.75, 0.5},\nend")


if __name__ == "__main__":
    unittest.main()
