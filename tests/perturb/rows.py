"""What rows share: scenarios that are closed and looked through at the end, and the figures of each."""
import json
import os
import re
import signal
import sys
import unittest

from harness.control_plane import connect
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
        scenario.wait("the observer has looked", lambda: scenario.observer.looks > 10)
        scenario.observer.close()
        self.assertEqual(scenario.observer.violations, [], scenario.report())
        self.assertLess(len(scenario.observer.failed), scenario.observer.looks / 10, scenario.observer.failed[:5])
        self.assertEqual(scenario.written_by_others_than_the_leader(), [], scenario.report())
        if RESULTS:
            seconds, epochs = scenario.longest
            row = re.match(r"test_0*([a-z0-9]+)", self._testMethodName).group(1)
            with open(RESULTS, "a") as results:
                results.write(json.dumps({"row": row, "seconds": round(seconds, 1), "epochs": epochs}) + "\n")

    def run_to_the_end(self, scenario, jobs=("a", "b")):
        """Two trainings of which the second comes when the first has all cores: starts, a shrink, a growth, ends. The
        second has one size, so that it does not matter how fast pods go, and slaq ends it; the first ends by itself, when
        it has all cores again. So all runs do the same, however slow the machine is."""
        scenario.apply("a", iterations=10**9)
        scenario.wait("a has all cores", lambda: scenario.workers("a") == 5 and scenario.training("a").iteration > 5)
        scenario.apply("b", iterations=10**9, least=2, most=2, stop={"maxIterations": 30})
        scenario.wait("b is complete", lambda: scenario.state("b") == "Complete")
        # Its status may still be the one of before `b` came.
        scenario.wait("a has all cores again",
                      lambda: scenario.workers("a") == 5 and scenario.status("a").get("readyReplicas") == 5)
        scenario.training("a").total = scenario.training("a").iteration + 10
        self.await_end(scenario, jobs)

    def await_end(self, scenario, jobs=("a", "b")):
        scenario.wait("all are complete", lambda: all(scenario.state(job) == "Complete" for job in jobs))
        scenario.wait("no pod of them runs", lambda: not any(
            pod["metadata"]["labels"]["slaq.io/job"] in jobs for pod in self.running(scenario)))
        # A pod that is ending is not ready any more, and still counts as a replica.
        scenario.wait("the statuses say so", lambda: all(
            scenario.status(job).get(count, 0) == 0 for job in jobs for count in ("readyReplicas", "replicas")))

    def assert_still(self, scenario, epochs=20):
        """Nothing happens, so nothing is written: no object is created, changed or deleted, and a status only where it
        says something new, which is the progress of a training that runs."""
        scenario.wait("no write is under way", lambda: not any(each.proxy.under_way for each in scenario.controllers))
        before = [len(each.proxy.taken()) for each in scenario.controllers]
        scenario.settle(epochs)
        for controller, count in zip(scenario.controllers, before):
            for request in controller.proxy.taken()[count:]:
                if "configmaps" in request.place:
                    continue  # what is learned of kinds grows with each loss
                told = f"{request} {request.body.decode()}\n{scenario.report()}"
                self.assertTrue(request.place.endswith("/status"), told)
                self.assertFalse(request.changed_nothing, f"nothing new: {told}")
                self.assertIn(scenario.state(request.place.split("/")[1]), ("Running", "Waiting"), told)

    @staticmethod
    def running(scenario):
        return [pod for pod in scenario.api.items(f"/api/v1/namespaces/{scenario.namespace}/pods")
                if pod["status"].get("phase") in ("Pending", "Running")]


def main():
    # Who ends a run ends its controllers too: an exit runs the clean-ups, a signal does not.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended by SIGTERM"))
    # Connections end with the process.
    unittest.main(verbosity=2, warnings="ignore")
