"""Workloads that exist already: `slaq adopt` writes their TrainingJobs, which tell what slaq would do, and then do it."""
import os
import pathlib
import subprocess

from harness.control_plane import FOLDER
from rows import Rows, main

SLAQ = os.environ.get("SLAQ", pathlib.Path(__file__).resolve().parents[2] / "build/release/bin/slaq")


class Adopt(Rows):
    def slaq(self, *arguments):
        return subprocess.run([SLAQ, *arguments, "--kubeconfig", f"{FOLDER}/kubeconfig/admin"], capture_output=True,
                              text=True, check=False)

    def test_a_workload_is_observed_and_then_sized(self):
        scenario = self.scenario()
        scenario.started(targets="Deployment")
        scenario.deploy("d", workers=2, adopted=False)
        seen = self.slaq("adopt", "deployment", "-n", scenario.namespace, "--max-workers", "8")
        self.assertEqual(seen.returncode, 0, seen.stderr)
        self.assertIn(f"Deployment {scenario.namespace}/d: TrainingJob d with 1 to 8 workers, in mode Observe", seen.stderr)
        self.assertNotIn("have no label", seen.stderr)
        self.assertIn('mode: "Observe"', seen.stdout)
        made = self.slaq("adopt", "deployment/d", "-n", scenario.namespace, "--max-workers", "8", "--apply")
        self.assertEqual((made.returncode, made.stdout), (0, ""), made.stderr)
        scenario.know("d")
        reason = lambda: scenario.status("d").get("decision", {}).get("reason", "")
        scenario.wait("it says what it would do", lambda: reason().startswith("only observed, and would be: 2 -> 6"))
        self.assertEqual(scenario.status("d")["desiredReplicas"], 6)
        # Another job has what the Deployment really leaves.
        scenario.apply("a", iterations=100000)
        scenario.wait("the other has the rest", lambda: scenario.status("a").get("readyReplicas") == 3)
        self.assertEqual(scenario.deployment("d")["spec"]["replicas"], 2)
        self.assertFalse([each for each in scenario.writes() if "deployments" in each], scenario.report())
        again = self.slaq("adopt", "deployment", "-n", scenario.namespace)
        self.assertIn("has a TrainingJob already; it is left out", again.stderr)
        scenario.api.patch(f"{scenario.jobs_path}/d", {"spec": {"mode": "Schedule"}})
        scenario.api.delete(f"{scenario.jobs_path}/a")
        scenario.forget("a")
        scenario.wait("it has all cores", lambda: scenario.status("d").get("readyReplicas") == 6)

    def test_what_can_not_be_sized_is_left_out_with_the_reason(self):
        scenario = self.scenario()
        job = lambda name, **spec: scenario.api.create(f"/apis/batch/v1/namespaces/{scenario.namespace}/jobs", {
            "metadata": {"name": name}, "spec": {**spec, "template": {"spec": {"restartPolicy": "Never", "containers": [
                {"name": "main", "image": "trainer:1", "resources": {"requests": {"cpu": "1"}}}]}}}})
        job("prepare", parallelism=1, completions=3)
        job("train", completionMode="Indexed", parallelism=2, completions=2)
        seen = self.slaq("adopt", "-n", scenario.namespace)
        self.assertEqual(seen.returncode, 0, seen.stderr)
        self.assertIn("prepare has to be an Indexed Job", seen.stderr)
        self.assertIn("its pods have no label slaq.io/job: train", seen.stderr)
        self.assertIn("its configuration has targets: [Job]; see", seen.stderr)
        self.assertEqual(seen.stdout.count("kind: \"TrainingJob\""), 1)
        checked = subprocess.run([SLAQ, "validate", "-"], input=seen.stdout, capture_output=True, text=True, check=False)
        self.assertEqual(checked.returncode, 0, checked.stderr)
        wrong = self.slaq("adopt", "pod/a", "-n", scenario.namespace)
        self.assertEqual(wrong.returncode, 2)
        self.assertIn('"pod/a" is no kind that slaq knows by itself', wrong.stderr)
        scenario.deploy("d", workers=2, adopted=False)
        scenario.api.create(f"/apis/autoscaling/v2/namespaces/{scenario.namespace}/horizontalpodautoscalers", {
            "metadata": {"name": "scaler"}, "spec": {"maxReplicas": 3, "scaleTargetRef": {
                "apiVersion": "apps/v1", "kind": "Deployment", "name": "d"}}})
        autoscaled = self.slaq("adopt", "deployment/d", "-n", scenario.namespace)
        self.assertIn("d is sized by the HorizontalPodAutoscaler scaler; delete that one first; it is left out",
                      autoscaled.stderr)
        self.assertEqual(autoscaled.stdout, "")
        missing = self.slaq("adopt", "job/gone", "-n", scenario.namespace)
        self.assertEqual(missing.returncode, 1)
        self.assertIn("there is no Job gone", missing.stderr)

    def look_through(self, scenario):
        if scenario.controllers:
            super().look_through(scenario)


if __name__ == "__main__":
    main()
