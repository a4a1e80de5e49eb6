"""Workloads on which a policy could hold cores for nothing, in virtual time."""
import json
import os
import pathlib
import random
import subprocess
import tempfile
import unittest

WORKLOADS = pathlib.Path(__file__).parent / "workloads"
POLICIES = ("LookAhead", "TotalQuality", "MinQuality", "LeastAttainedService", "FinishTime", "Fair")


def simulated(workload, policy):
    """What the run came to, and when each job was complete, in seconds."""
    with tempfile.NamedTemporaryFile("r", suffix=".csv") as jobs:
        run = subprocess.run([os.environ["SLAQ"], "simulate", workload, "--policy", policy, "--jobs", jobs.name,
                              "--output", "json"], check=True, capture_output=True, text=True)
        header, *rows = (line.split(",") for line in jobs.read().split())
    column = header.index("completionSeconds")
    return json.loads(run.stdout), {row[0]: float(row[column]) for row in rows}


class IdleCores(unittest.TestCase):
    def test_a_job_whose_loss_never_falls_uses_the_cores_that_nobody_else_wants(self):
        makespan = {policy: simulated(WORKLOADS / "flat-loss-idle-cores.yaml", policy)[0]["makespanSeconds"]
                    for policy in POLICIES}
        for policy, seconds in makespan.items():
            with self.subTest(policy=policy):
                self.assertLessEqual(seconds, 1.1 * makespan["Fair"])


class Evaluations(unittest.TestCase):
    def test_losses_that_are_computed_now_and_then_are_forecast_by_those_that_changed(self):
        with tempfile.TemporaryDirectory() as folder:
            run, _ = simulated(self.workload(pathlib.Path(folder)), "LookAhead")
            fair, _ = simulated(pathlib.Path(folder) / "workload.yaml", "Fair")
        self.assertLess(run["meanLossIntegralSeconds"], 0.9 * fair["meanLossIntegralSeconds"])
        self.assertLess(run["resizes"], 100)

    @staticmethod
    def workload(folder):
        """16 trainings, each evaluated in every 25th iteration; the loss is exported in all of them."""
        jobs = []
        for place in range(16):
            noise = random.Random(place)
            pace = 5 + 10 * (place % 8)
            losses = [(1 / (1 + k / pace) + 0.1) * (1 + noise.gauss(0, 0.01)) for k in range(0, 401, 25)]
            rows = "".join(f"{k},{losses[k // 25]:.6f}\n" for k in range(401))
            (folder / f"{place}.csv").write_text("iteration,loss\n" + rows, encoding="utf-8")
            jobs.append(f"- {{name: job-{place:02d}, trace: {place}.csv, arrivalSeconds: {15 * place}, "
                        f"cpuSecondsPerIteration: {1 + 7 * place % 5}}}\n")
        file = folder / "workload.yaml"
        file.write_text("cores: 16\nresizeSeconds: 1\njobs:\n" + "".join(jobs), encoding="utf-8")
        return file


class Divergence(unittest.TestCase):
    def test_a_job_that_diverges_takes_no_more_from_a_healthy_one_than_one_whose_loss_is_constant(self):
        workload = (WORKLOADS / "diverging-takes-cores.yaml").read_text(encoding="utf-8")
        with tempfile.NamedTemporaryFile("w", suffix=".yaml") as constant:
            constant.write(workload.replace("diverge.csv", "const.csv").replace("trace: ", f"trace: {WORKLOADS}/"))
            constant.flush()
            _, beside_constant = simulated(constant.name, "LookAhead")
        _, beside_diverging = simulated(WORKLOADS / "diverging-takes-cores.yaml", "LookAhead")
        self.assertLessEqual(beside_diverging["ok"], 1.05 * beside_constant["ok"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
