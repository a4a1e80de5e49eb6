"""Workloads follow from their setting alone, and settings change what they say and nothing else."""
import math
import unittest

import grid
import workloads
from workloads import Setting

FOLDER = workloads.HERE / "somewhere"


def jobs(**setting):
    return list(workloads.draw(Setting(**{"seed": 1, **setting})))


class Workloads(unittest.TestCase):
    def test_a_seed_gives_the_same_workload_every_time(self):
        self.assertEqual(workloads.text(Setting(3), FOLDER), workloads.text(Setting(3), FOLDER))
        self.assertNotEqual(workloads.text(Setting(3), FOLDER), workloads.text(Setting(4), FOLDER))

    def test_jobs_arrive_one_after_another_at_the_mean_rate(self):
        for mean in grid.ARRIVALS:
            arrivals = [arrival for seed in range(1, 9) for arrival, _, _ in jobs(seed=seed, arrivals=mean)]
            last = [jobs(seed=seed, arrivals=mean)[-1][0] for seed in range(1, 9)]
            self.assertTrue(all(arrival > 0 for arrival in arrivals))
            self.assertAlmostEqual(sum(last) / len(last) / workloads.JOBS / mean, 1, delta=0.1)

    def test_another_mean_stretches_the_same_arrivals(self):
        for (slow, *same), (fast, *others) in zip(jobs(arrivals=15), jobs(arrivals=5)):
            self.assertAlmostEqual(slow, 3 * fast)
            self.assertEqual(same, others)

    def test_costs_stay_within_their_spread(self):
        for _, _, cost in jobs():
            self.assertLessEqual(abs(math.log(cost / workloads.CPU_SECONDS)), math.log(workloads.CPU_SPREAD))

    def test_the_share_of_non_convex_jobs_is_as_asked(self):
        for share, least, most in ((0, 0, 0), (30, 30, 70), (100, 160, 160)):
            count = sum(trace["convex"] == "no" for _, trace, _ in jobs(non_convex=share))
            self.assertTrue(least <= count <= most, (share, count))

    def test_pauses_and_caps_are_written_as_slaq_simulate_reads_them(self):
        text = workloads.text(Setting(1, cap=96, pause=5, resize="gentle"), FOLDER)
        for line in ("cores: 640", "resizeSeconds: 5", "shrinkSeconds: 0", "resizeBlocks: false", "maxReplicas: 96"):
            self.assertIn(line, text)

    def test_traces_are_named_relative_to_the_workload(self):
        for source in workloads.SOURCES:
            text = workloads.text(Setting(1, source=source), FOLDER)
            name = text.split("trace: ", 1)[1].split(",", 1)[0]
            self.assertTrue((FOLDER / name).resolve().is_file())
            self.assertIn(f"{source}/", name)

    def test_another_source_gives_other_losses_at_the_same_arrivals(self):
        first, second = (jobs(source=source)[0] for source in ("traces", "recordings"))
        self.assertEqual(first[0], second[0])
        names = {row["name"] for row in workloads.index("recordings")}
        self.assertLessEqual({trace["name"] for _, trace, _ in jobs(source="recordings")}, names)

    def test_production_stands_still_for_growths_alone(self):
        text = workloads.text(Setting(1, **grid.PRODUCTION), FOLDER)
        self.assertIn("resizeSeconds: 5\nshrinkSeconds: 0\njobs:", text)


class Grid(unittest.TestCase):
    def test_nothing_is_simulated_twice(self):
        runs = [(run.contender, run.setting) for run in grid.runs(3)]
        self.assertEqual(len(runs), len(set(runs)))

    def test_only_one_seed_of_the_plain_workload_is_kept_over_time(self):
        self.assertEqual({run.setting for run in grid.runs(3) if run.series}, {Setting(1, arrivals=15)})


if __name__ == "__main__":
    unittest.main()
