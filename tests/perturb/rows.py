"""What rows share: scenarios that are closed and looked through at the end, and the figures of each."""
import json
import os
import re
import unittest

from cluster import connect
from scenario import Scenario

# A line of JSON for each scenario, for the table at the end.
RESULTS = os.environ.get("SLAQ_PERTURB_RESULTS")


class Rows(unittest.TestCase):
    longMessage = True

    def scenario(self, suffix="", **settings):
        name = self._testMethodName.removeprefix("test_")
        made = Scenario(connect(), name + suffix, **settings)
        self.addCleanup(made.close)
        self.addCleanup(self.look_through, made)
        return made

    def look_through(self, scenario):
        scenario.observer.close()
        self.assertEqual(scenario.observer.violations, [], scenario.report())
        self.assertGreater(scenario.observer.looks, 10)
        if RESULTS:
            seconds, epochs = scenario.longest
            row = int(re.match(r"test_(\d+)", self._testMethodName).group(1))
            with open(RESULTS, "a") as results:
                results.write(json.dumps({"row": row, "seconds": round(seconds, 1), "epochs": epochs}) + "\n")

    def run_to_the_end(self, scenario, jobs=("a", "b")):
        """Two trainings of which the second comes when the first has all cores: starts, a shrink, growths, ends. The
        second has one size, so that it does not matter how fast pods go."""
        scenario.apply("a", iterations=200)
        scenario.wait("a has all cores", lambda: scenario.workers("a") == 5 and scenario.training("a").iteration > 5)
        scenario.apply("b", iterations=60, least=2, most=2)
        self.await_end(scenario, jobs)

    def await_end(self, scenario, jobs=("a", "b"), epochs=90):
        scenario.wait("all are complete", lambda: all(scenario.state(job) == "Complete" for job in jobs), epochs)
        scenario.wait("no pod of them runs", lambda: not any(
            pod["metadata"]["labels"]["slaq.io/job"] in jobs for pod in self.running(scenario)))
        scenario.wait("the statuses say so", lambda: all(
            scenario.status(job).get("readyReplicas", 0) == 0 for job in jobs))

    @staticmethod
    def running(scenario):
        return [pod for pod in scenario.api.items(f"/api/v1/namespaces/{scenario.namespace}/pods")
                if pod["status"].get("phase") in ("Pending", "Running")]


def main():
    # Connections end with the process.
    unittest.main(verbosity=2, warnings="ignore")
