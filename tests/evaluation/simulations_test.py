"""Figures of simulations are kept seed by seed and are the same when they are read again."""
import unittest

import grid
import simulations
from workloads import Setting


def figures(*values):
    return {measure: list(values) for measure in simulations.MEASURES}


class Figures(unittest.TestCase):
    def setUp(self):
        plain, recorded = Setting(seed=0), Setting(seed=0, source="recordings")
        held_out = Setting(seed=0, held_out=True)
        self.made = simulations.Simulations(2, {
            (plain, grid.OURS): figures(3, 5), (plain, grid.FAIR): figures(10, 12), (plain, grid.ORACLE): figures(2, 4),
            (held_out, grid.OURS): figures(4, 6), (recorded, grid.DEFAULT): figures(7, 9)})

    def test_are_the_same_when_they_are_read_again(self):
        self.assertEqual(simulations.read({"seeds": 2, "simulations": self.made.json()}).json(), self.made.json())

    def test_the_share_of_the_oracle_is_of_its_gain_over_fair(self):
        share = self.made.share_of_oracle(grid.OURS, grid.ORACLE)
        self.assertAlmostEqual(share.mean, (11 - 4) / (11 - 3))

    def test_held_out_jobs_share_the_bounds_of_those_that_are_not(self):
        share = self.made.share_of_oracle(grid.OURS, grid.ORACLE, held_out=True)
        self.assertAlmostEqual(share.mean, (11 - 5) / (11 - 3))


if __name__ == "__main__":
    unittest.main()
