"""helm lint, kube-score and kubernetes-validate find nothing in the chart but what is waived here, with its reason."""
import json
import subprocess
import tempfile
import unittest

from tools import FOLDER, KUBERNETES, ROOT, VARIANTS, arguments_of, helm, install, rendered, run

# What kube-score finds, by its check: why it stays, and in which variants. A limit of CPU is waived by kube-score's own
# option: it would slow an epoch down while cores are idle.
WAIVERS = {
    "container-image-pull-policy": ("An image is named by its version or digest, so it is the same each time.", VARIANTS),
    "deployment-has-host-podantiaffinity": (
        "topologySpreadConstraints spread the replicas, and do not keep a cluster of one node from having two.", VARIANTS),
    "pod-networkpolicy": ("Off by default: what Prometheus and the API server are reached by differs by cluster.",
                          ["all off", "one namespace", "automatic", "observer"]),
    "deployment-has-poddisruptionbudget": ("Turned off.", ["all off"]),
}

# Of the Prometheus operator; its own definitions judge them.
OF_OTHERS = {"PodMonitor", "ServiceMonitor", "PrometheusRule"}


class Chart(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        helm()
        install()
        cls.folder = cls.enterClassContext(tempfile.TemporaryDirectory())
        cls.files = {variant: rendered(variant, cls.folder) for variant in VARIANTS}

    def test_helm_lint_is_strict(self):
        for variant in VARIANTS:
            text = run(helm(), "lint", "--strict", ROOT / "charts/slaq", *arguments_of(variant))
            self.assertNotRegex(text, r"\[(INFO|WARNING|ERROR)\]", variant)

    def test_kube_score_finds_what_is_waived_and_nothing_else(self):
        for variant, file in self.files.items():
            done = subprocess.run([FOLDER / "kube-score", "score", "--ignore-container-cpu-limit", "--output-format", "json", file],
                                  capture_output=True, text=True, check=False)
            objects = json.loads(done.stdout)
            self.assertGreater(len(objects), 1, variant)
            found = {check["check"]["id"] for each in objects for check in each["checks"]
                     if not check["skipped"] and check["grade"] < 10}
            self.assertEqual(found, {name for name, (_, variants) in WAIVERS.items() if variant in variants}, variant)

    def test_each_object_is_what_kubernetes_knows(self):
        for variant, file in self.files.items():
            done = subprocess.run([FOLDER / "venv/bin/kubernetes-validate", "--strict", "-k", KUBERNETES, file],
                                  capture_output=True, text=True, check=False)
            lines = (done.stdout + done.stderr).splitlines()
            self.assertGreater(sum(line.startswith("INFO") for line in lines), 5, variant)
            unexpected = [line for line in lines if not line.startswith("INFO")
                          and not any(f"find schema for kind {kind} " in line for kind in OF_OTHERS)]
            self.assertEqual(unexpected, [], variant)
            self.assertEqual(done.returncode, 0, variant)


if __name__ == "__main__":
    unittest.main()
