"""What the page opens with is simulated, and held-out jobs are forecast with constants that do not know them."""
import unittest

import aims
import forecasts
import grid
import workloads


class Shares(unittest.TestCase):
    def setUp(self):
        self.simulated = {(run.setting, run.contender) for run in grid.runs(1)}

    def test_what_they_are_made_of_is_simulated(self):
        for what, variant, contender, oracle in aims.SHARES:
            for arrivals in grid.ARRIVALS:
                with self.subTest(what, arrivals=arrivals):
                    held = workloads.Setting(seed=1, arrivals=arrivals, **variant)
                    same = workloads.Setting(seed=1, arrivals=arrivals, **{**variant, "held_out": False})
                    self.assertIn((held, contender), self.simulated)
                    self.assertIn((same, grid.FAIR), self.simulated)
                    self.assertIn((same, oracle), self.simulated)

    def test_those_that_are_aimed_at_begin_with_what_nothing_was_fitted_to(self):
        first, second, third = (variant for _, variant, _, _ in aims.AIMED)
        self.assertTrue(first["held_out"])
        self.assertEqual(second["source"], "recordings")
        self.assertEqual(third, {})

    def test_a_program_without_constants_is_asked_for_no_held_out_row(self):
        self.assertFalse([run for run in grid.runs(1, held_out=False) if run.setting.held_out])


class HeldOut(unittest.TestCase):
    def test_a_workload_names_constants_that_leave_out_each_jobs_algorithm(self):
        setting = workloads.Setting(seed=1, held_out=True, non_convex=30)
        lines = workloads.text(setting, workloads.HERE / "somewhere").splitlines()
        jobs = [line for line in lines if line.startswith("  - ")]
        for job, (_, trace, _) in zip(jobs, workloads.draw(setting)):
            left_out = trace["algorithm"] if trace["convex"] == "yes" else "non-convex"
            self.assertIn(f"constants: ../constants/without-{left_out}.yaml", job)

    def test_forecasts_of_a_trace_are_made_with_constants_that_leave_it_out(self):
        for row in workloads.index():
            case = forecasts.Case("Ensemble", convex=row["convex"] == "yes", held_out=True)
            left_out = row["algorithm"] if case.convex else "non-convex"
            self.assertEqual(case.constants(row).stem, f"without-{left_out}")

    def test_in_sample_forecasts_take_the_constants_of_the_program(self):
        self.assertIsNone(forecasts.Case("Ensemble").constants(workloads.index()[0]))


if __name__ == "__main__":
    unittest.main()
