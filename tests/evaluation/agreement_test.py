"""The table of simulated and real runs."""
import unittest

import agreement


class Rows(unittest.TestCase):
    def test_tell_medians_and_how_far_real_runs_lie_apart(self):
        job = {"real": [12.0, 10.0, 11.0], "simulated": [9.0, 13.0, 12.0], "difference": 0.1234}
        self.assertEqual(agreement.rows({"policies": {"Fair": {"jobs": {"a": job}}}}).splitlines()[2:],
                         ["| Fair, a | 11.0 | 10.0 to 12.0 | 12.0 | +12.3% |"])

    def test_tell_how_many_simulations_went_another_way(self):
        told = {"shaken": {"simulations": 200, "far": {"LookAhead": 17, "Fair": 0}}}
        self.assertEqual(agreement.chance(told).splitlines()[0], "| at slightly other costs | of 200 simulations |")
        self.assertEqual(agreement.chance(told).splitlines()[2:], ["| LookAhead | 17 |", "| Fair | 0 |"])

    def test_there_is_a_file_with_a_worst_difference_for_each_policy(self):
        for each in agreement.read()["policies"].values():
            self.assertEqual(each["worstDifference"], max(abs(job["difference"]) for job in each["jobs"].values()))


if __name__ == "__main__":
    unittest.main()
