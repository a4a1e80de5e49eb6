"""Each form in which people write a quantity, wherever it stands, is taken or refused by `slaq validate` and by the
definition of TrainingJobs as a real API server does in a Pod. kube/pods and manifest read the same table, so that the
controller and `slaq run` count it as the same number of cores."""
import json
import pathlib
import unittest

from harness.quantities import millis
from harness.verdicts import Verdicts

TABLE = json.loads((pathlib.Path(__file__).parent / "quantities.json").read_text())
MOST = 10**9  # millicores; above it slaq's own rule stands


def pod(quantity, place):
    """The spec of a pod with the quantity in one place."""
    other = {"name": "other", "image": "x", "resources": {"requests": {"cpu": "1n"}}}
    odd = lambda kind: {"name": "odd", "image": "x", "resources": {kind: {"cpu": quantity}}}
    return {"request": {"containers": [odd("requests")]},
            "limit": {"containers": [odd("limits")]},
            "second container": {"containers": [other, odd("requests")]},
            "init container": {"containers": [other], "initContainers": [odd("requests")]}}[place]


def training(worker, driver=None):
    spec = {"workers": {"maxReplicas": 2, "template": {"spec": worker}}}
    if driver:
        spec["driver"] = {"template": {"spec": driver}}
    return {"apiVersion": "slaq.io/v1alpha1", "kind": "TrainingJob", "metadata": {"name": "a"}, "spec": spec}


class Quantities(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.verdicts = Verdicts()

    def agree(self, expected, manifest, told):
        self.assertEqual(self.verdicts.of_server(manifest) is None, expected, f"API server: {told}")
        self.assertEqual(self.verdicts.of_validate(manifest) is None, expected, f"slaq validate: {told}")

    def test_the_table_says_what_the_api_server_does_with_a_pod(self):
        for quantity, expected in TABLE:
            with self.subTest(quantity=quantity):
                status, answer = self.verdicts.create_pod(pod(quantity, "request"))
                self.assertEqual(status == 201, expected is not None, answer)
                if expected is not None:
                    self.assertEqual(millis(answer["spec"]["containers"][0]["resources"]["requests"]["cpu"]), expected)

    def test_all_places_take_the_forms_that_a_pod_takes(self):
        for quantity, expected in TABLE:
            if expected and expected > MOST - 2:
                continue  # with a second container that is more than slaq takes
            for place in ("request", "limit", "second container", "init container"):
                # A pod that requests nothing is refused where its cores are what it costs.
                is_right = expected is not None and (expected > 0 or place not in ("request", "limit"))
                with self.subTest(quantity=quantity, place=place):
                    told = f"{json.dumps(quantity)} as {place}"
                    self.agree(is_right, training(pod(quantity, place)), told)
            with self.subTest(quantity=quantity, place="driver"):
                manifest = training(pod("1", "request"), pod(quantity, "request"))
                self.agree(expected is not None and expected > 0, manifest, f"{json.dumps(quantity)} of a driver")

    def test_bounds_of_cores_take_them_too(self):
        for quantity, expected in TABLE:
            with self.subTest(quantity=quantity):
                manifest = training(pod(quantity if expected else "1", "request"))
                manifest["spec"]["workers"] |= {"scaling": "CPU", "cpu": {"min": quantity, "max": "1M"}}
                self.agree(expected is not None and expected > 0, manifest, f"{json.dumps(quantity)} as cpu.min")


if __name__ == "__main__":
    unittest.main(verbosity=2, warnings="ignore")
