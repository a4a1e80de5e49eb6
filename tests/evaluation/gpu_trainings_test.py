"""The workloads of GPU trainings are those of evaluation/gpu, and each is simulated once."""
import csv
import unittest

import gpu_trainings
from gpu_trainings import GPU, Setting


class GpuTrainings(unittest.TestCase):
    def test_all_jobs_of_a_workload_are_simulated(self):
        for workload in gpu_trainings.WORKLOADS:
            self.assertEqual(Setting(workload).text().count("- {name: "), 160)

    def test_a_load_brings_jobs_sooner_and_changes_nothing_else(self):
        slow, fast = Setting(1).text().splitlines(), Setting(1, load=2).text().splitlines()
        self.assertEqual(len(slow), len(fast))
        self.assertIn("arrivalSeconds: 107,", slow[6])
        self.assertIn("arrivalSeconds: 53.5,", fast[6])

    def test_kinds_are_told_or_not(self):
        self.assertIn("kind: cifar10-2048", Setting(1).text())
        self.assertNotIn("kind:", Setting(1, kinds=False).text())

    def test_each_is_simulated_once(self):
        wanted = gpu_trainings.settings()
        self.assertEqual(len(wanted), len(set(wanted)))
        self.assertEqual(len({setting.path() for _, setting in wanted}), len({setting for _, setting in wanted}))

    def test_every_curve_has_its_table_of_speeds(self):
        for curve in GPU.glob("curves/*.csv"):
            with open(GPU / "scaling" / curve.name, encoding="utf-8") as file:
                workers = [int(row["workers"]) for row in csv.DictReader(file)]
            self.assertEqual(workers, sorted(set(workers)))


if __name__ == "__main__":
    unittest.main()
