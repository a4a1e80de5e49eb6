"""Rows 14 and 18: what the operator works on is taken away while it works, and given back."""
from harness.api import MERGE_PATCH
from harness.control_plane import define_jobs
from rows import Rows, main

DEFINITION = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/trainingjobs.slaq.io"


class Gone(Rows):
    def on_nodes(self, scenario):
        return [pod for pod in self.running(scenario) if pod["spec"].get("nodeName")]

    def test_14_a_node_that_goes_takes_its_pods_along_and_they_come_back_with_it(self):
        scenario = self.scenario()
        scenario.node.name = scenario.namespace  # a node that no other test has
        scenario.node.register()
        scenario.started()
        # Kubernetes waits the longer before it makes pods again the more of a Job have failed, so there are few.
        scenario.apply("a", iterations=100000, least=2, most=2)
        scenario.wait("all run", lambda: scenario.status("a").get("readyReplicas") == 2)
        child, writes = scenario.child("a-workers"), scenario.writes()
        scenario.node.vanish()
        scenario.wait("its pods are lost", lambda: not self.on_nodes(scenario))
        scenario.wait("the status says so", lambda: not scenario.status("a").get("readyReplicas"))
        self.assert_still(scenario)
        reached = scenario.training("a").iteration
        scenario.node.come_back()
        scenario.wait("all run again", lambda: scenario.status("a").get("readyReplicas") == 2)
        scenario.wait("it goes on", lambda: scenario.training("a").iteration > reached)
        self.assertEqual(scenario.child("a-workers")["metadata"]["uid"], child["metadata"]["uid"])
        self.assertEqual(scenario.writes(), writes, scenario.report())

    def test_14_pods_that_hang_in_termination_keep_their_cores(self):
        scenario = self.scenario()
        scenario.started()
        scenario.apply("a", iterations=100000)
        scenario.wait("all run", lambda: scenario.status("a").get("readyReplicas") == 5)
        scenario.node.ends_pods = False
        scenario.apply("b", iterations=40, least=2, most=2)
        scenario.wait("a shrinks", lambda: scenario.workers("a") == 2)
        scenario.settle(40)
        self.assertIsNone(scenario.child("b-workers"), scenario.report())
        self.assert_still(scenario)
        scenario.node.ends_pods = True
        self.await_end(scenario, jobs=("b",))
        scenario.wait("a has all again", lambda: scenario.status("a").get("readyReplicas") == 5)

    def test_18_a_definition_that_is_removed_and_put_back_ends_jobs_and_not_the_operator(self):
        scenario = self.scenario()
        controller = scenario.started()
        for job in ("a", "b"):
            scenario.apply(job, iterations=100000)
        scenario.wait("both run", lambda: all(scenario.status(job).get("readyReplicas") == 2 for job in ("a", "b")))
        self.addCleanup(define_jobs)
        scenario.api.delete(DEFINITION)
        scenario.wait("the server does not know TrainingJobs any more", lambda: scenario.api.get(DEFINITION) is None)
        scenario.wait("the log says why nothing happens", lambda: "install the definition" in controller.log())
        tried = len(self.tries(controller))
        scenario.settle(50)
        self.assertEqual(self.tries(controller)[tried:], [], scenario.report())
        self.assertLess(self.told(controller), 5, scenario.report())
        self.assertIsNone(controller.process.poll(), scenario.report())
        self.assertEqual(controller.telemetry("/healthz")[0], 200)
        define_jobs()
        # Kubernetes may leave the old pods until it knows again what owned them; their cores are not given away.
        scenario.apply("a", iterations=40, least=2, most=2)
        scenario.wait("a is complete", lambda: scenario.state("a") == "Complete")

    def test_18_a_namespace_that_ends_takes_its_jobs_along_and_is_served_again_when_it_is_back(self):
        scenario = self.scenario(lease_elsewhere=True)
        controller = scenario.started()
        for job in ("a", "b"):
            scenario.apply(job, iterations=100000)
        scenario.wait("both run", lambda: all(scenario.status(job).get("readyReplicas") == 2 for job in ("a", "b")))
        place = f"/api/v1/namespaces/{scenario.namespace}"
        # Something holds a, and so the namespace stays in its last phase. Held for good, a would keep the definition too.
        self.addCleanup(scenario.api.call, "PATCH", f"{scenario.jobs_path}/a", {"metadata": {"finalizers": None}},
                        MERGE_PATCH)
        scenario.api.patch(f"{scenario.jobs_path}/a", {"metadata": {"finalizers": ["example.com/held"]}})
        scenario.api.delete(place)
        scenario.wait("nothing but a is left", lambda: not scenario.job("b") and not self.running(scenario))
        scenario.settle(15)
        tried = len(self.tries(controller))
        scenario.settle(50)
        self.assertEqual(self.tries(controller)[tried:], [], scenario.report())
        refused = [each for each in self.tries(controller) if each[1] >= 400]
        self.assertLess(len(refused), 30, scenario.report())
        self.assertIsNone(controller.process.poll(), scenario.report())
        scenario.api.patch(f"{scenario.jobs_path}/a", {"metadata": {"finalizers": None}})
        scenario.wait("it is gone", lambda: scenario.api.get(place) is None)
        scenario.api.create("/api/v1/namespaces", {"metadata": {"name": scenario.namespace}})
        # For a moment the server takes it for the one that ended.
        scenario.wait("it takes new content", lambda: scenario.api.call(
            "POST", f"{place}/configmaps", {"metadata": {"name": "first"}})[0] == 201)
        scenario.apply("a", iterations=40, least=2, most=2)
        self.await_end(scenario, jobs=("a",))

    @staticmethod
    def tries(controller):
        """Writes, taken or not, the lease and events apart."""
        with controller.proxy.lock:
            return [(str(request), status) for request, status in controller.proxy.writes
                    if not request.is_lease and "events" not in request.place]

    @staticmethod
    def told(controller):
        return controller.log().count('event=watch message="trainingjobs')


if __name__ == "__main__":
    main()
