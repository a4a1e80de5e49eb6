"""The recorded traces are what their table and their index say."""
import csv
import math
import sys
import unittest

try:
    import yaml  # noqa: F401
except ImportError:
    print("python3-yaml is not installed; see scripts/install-deps --evaluation")
    sys.exit(77)

import record
import workloads

LIMIT = 1 << 20  # bytes


def losses(name):
    with (workloads.TRACES / f"{name}.csv").open() as file:
        rows = list(csv.DictReader(file))
    return [int(row["iteration"]) for row in rows], [float(row["loss"]) for row in rows]


class Traces(unittest.TestCase):
    def test_index_lists_the_trainings_of_the_table_in_order(self):
        table = [(row["name"], row["algorithm"], row["convex"], row["convergence"])
                 for row in record.trainings(record.HERE / "traces.yaml")]
        index = [(row["name"], row["algorithm"], row["convex"], row["convergence"]) for row in workloads.index()]
        self.assertEqual(table, index)

    def test_folder_holds_what_the_index_lists_and_nothing_else(self):
        listed = {f"{row['name']}.csv" for row in workloads.index()} | {"index.csv"}
        self.assertEqual({path.name for path in workloads.TRACES.iterdir()}, listed)

    def test_folder_stays_small(self):
        self.assertLess(sum(path.stat().st_size for path in workloads.TRACES.iterdir()), LIMIT)

    def test_each_counts_from_0_to_the_iteration_that_the_index_says(self):
        for row in workloads.index():
            with self.subTest(row["name"]):
                iterations, _ = losses(row["name"])
                self.assertEqual(iterations, list(range(int(row["iterations"]) + 1)))
                self.assertGreaterEqual(iterations[-1], record.LEAST)

    def test_each_falls(self):
        for row in workloads.index():
            with self.subTest(row["name"]):
                _, values = losses(row["name"])
                self.assertTrue(all(map(math.isfinite, values)))
                self.assertLess(min(values), values[0])

    def test_those_of_the_nine_algorithms_hardly_ever_rise(self):
        for row in workloads.traces(convex=True):
            with self.subTest(row["name"]):
                _, values = losses(row["name"])
                span = values[0] - min(values)
                self.assertLess(max(after - before for before, after in zip(values, values[1:])), 0.001 * span)

    def test_nine_algorithms_have_ten_traces_or_more(self):
        self.assertEqual(len(workloads.algorithms()), 9)
        for algorithm in workloads.algorithms():
            self.assertGreaterEqual(len(workloads.traces(True, algorithm)), 10, algorithm)


class Settling(unittest.TestCase):
    def test_a_training_that_stands_still_ends_after_the_least_iterations(self):
        flat = [(k, 1.0 if k == 0 else 0.0) for k in range(200)]
        self.assertEqual(record.settled(flat)[-1][0], record.LEAST)

    def test_a_training_that_still_falls_is_kept_whole(self):
        falling = [(k, 200.0 - k) for k in range(200)]
        self.assertEqual(record.settled(falling), falling)

    def test_a_training_ends_five_iterations_after_it_last_moved(self):
        moving = [(k, 1.0 - 0.004 * min(k, 150)) for k in range(200)]
        self.assertEqual(record.settled(moving)[-1][0], 155)


if __name__ == "__main__":
    unittest.main()
