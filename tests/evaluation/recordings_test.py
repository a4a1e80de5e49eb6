"""The recordings of real data are what their index says, and nothing that fits constants reads them."""
import ast
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

FOLDER = workloads.SOURCES["recordings"]
LEAST, MOST = 60, 300  # iterations
LIMIT = 1 << 19  # bytes


def losses(name):
    with (FOLDER / f"{name}.csv").open() as file:
        rows = list(csv.DictReader(file))
    return [int(row["iteration"]) for row in rows], [float(row["loss"]) for row in rows]


class Recordings(unittest.TestCase):
    def test_there_are_forty_or_more_of_ten_kinds_or_more(self):
        self.assertGreaterEqual(len(workloads.index("recordings")), 40)
        self.assertGreaterEqual(len(workloads.kinds()), 10)

    def test_folder_holds_what_the_index_lists_and_nothing_else(self):
        listed = {f"{row['name']}.csv" for row in workloads.index("recordings")} | {"index.csv"}
        self.assertEqual({path.name for path in FOLDER.iterdir()}, listed)
        self.assertLess(sum(path.stat().st_size for path in FOLDER.iterdir()), LIMIT)

    def test_each_counts_from_0_to_the_iteration_that_the_index_says(self):
        for row in workloads.index("recordings"):
            with self.subTest(row["name"]):
                iterations, _ = losses(row["name"])
                self.assertEqual(iterations, list(range(int(row["iterations"]) + 1)))
                self.assertTrue(LEAST <= iterations[-1] <= MOST)

    def test_each_falls_and_is_as_convex_as_the_index_says(self):
        for row in workloads.index("recordings"):
            with self.subTest(row["name"]):
                _, values = losses(row["name"])
                self.assertTrue(all(map(math.isfinite, values)))
                self.assertLess(min(values), values[0])
                span = values[0] - min(values)
                steady = max(after - before for before, after in zip(values, values[1:])) < 0.001 * span
                self.assertEqual(row["convex"], "yes" if steady else "no")

    def test_no_script_that_fits_constants_reads_them(self):
        for path in workloads.HERE.glob("fit_*.py"):
            names = {node.value for node in ast.walk(ast.parse(path.read_text()))
                     if isinstance(node, ast.Constant) and node.value == "recordings"}
            self.assertFalse(names, path)


class Settling(unittest.TestCase):
    def test_a_training_that_stands_still_ends_after_as_few_iterations_as_are_asked_for(self):
        flat = [(k, 1.0 if k == 0 else 0.0) for k in range(200)]
        self.assertEqual(record.settled(flat, LEAST)[-1][0], LEAST)


if __name__ == "__main__":
    unittest.main()
