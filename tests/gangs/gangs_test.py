"""Two jobs whose pods do not fit beside each other: Kubernetes' own scheduler binds the minimum of one of them, whole, and no
pod of the other. The node is played, the scheduler is real, and the cluster has PodGroups (GenericWorkload, off by default)."""
import os
import pathlib
import subprocess
import unittest

VERSION = "1.37.2"
# Before control_plane is read: a cluster of its own, beside that of the other tests.
os.environ.update(SLAQ_CONTROL_PLANE_DIR="/tmp/slaq-gangs", SLAQ_CONTROL_PLANE_PORTS="27800", SLAQ_CONTROL_PLANE_NET="10.218")

from harness import control_plane  # noqa: E402  # pylint: disable=wrong-import-position
from harness.operators import Operated  # noqa: E402  # pylint: disable=wrong-import-position
from rows import Rows, main  # noqa: E402  # pylint: disable=wrong-import-position

NODE_CPU = 5
POD_GROUPS = "/apis/scheduling.k8s.io/v1beta1"


def programs():
    rig = control_plane.TOP / "tests/rig/rig"
    return pathlib.Path(subprocess.run([rig, "control-plane", VERSION], check=True, stdout=subprocess.PIPE, text=True,
                                       env=control_plane.ENVIRONMENT).stdout.strip())


def setUpModule():  # pylint: disable=invalid-name
    able = subprocess.run([control_plane.TOP / "tests/rig/rig", "check"], capture_output=True, text=True, check=False)
    if able.returncode:
        control_plane.skip(able.stderr)
    control_plane.ENVIRONMENT.update(KUBEBUILDER_ASSETS=str(programs()), SLAQ_RIG_FEATURES="GenericWorkload=true",
                                     SLAQ_RIG_APIS="scheduling.k8s.io/v1beta1=true")
    unittest.addModuleCleanup(control_plane.rig, "down")
    control_plane.up()


class Gangs(Operated, Rows):
    def schedule(self, scenario):
        """Starts the scheduler, with a node of its own for the pods of the scenario: those of the last one may still be ending."""
        scenario.node.bind = lambda path, pod: False
        scenario.node.name = scenario.namespace
        scenario.node.register()
        scenario.api.patch(f"/api/v1/nodes/{scenario.node.name}/status",
                           {"status": {"allocatable": {"cpu": str(NODE_CPU), "pods": "50"},
                                       "capacity": {"cpu": str(NODE_CPU), "pods": "50"}}})
        admin = f"{control_plane.FOLDER}/kubeconfig/admin"
        self.operate(scenario, programs() / "kube-scheduler", f"--kubeconfig={admin}", "--leader-elect=false", "--secure-port=0",
                     "--feature-gates=GenericWorkload=true")

    @staticmethod
    def bound(scenario, job):
        return sum(bool(pod["spec"].get("nodeName")) for pod in scenario.api.items(
            f"/api/v1/namespaces/{scenario.namespace}/pods") if pod["metadata"]["labels"]["slaq.io/job"] == job)

    @staticmethod
    def group(scenario, job):
        return scenario.api.get(f"{POD_GROUPS}/namespaces/{scenario.namespace}/podgroups/{job}") or {}

    def cannot_be_scheduled(self, scenario, job):
        conditions = self.group(scenario, job).get("status", {}).get("conditions", [])
        return any(each["status"] == "False" and each["reason"] == "Unschedulable" for each in conditions)

    def test_one_of_two_jobs_has_all_its_pods_and_the_other_none(self):
        scenario = self.scenario(capacity=12)  # more than the node has
        self.schedule(scenario)
        scenario.started()
        for job in ("a", "b"):
            scenario.apply(job, iterations=10**9, least=3, most=3)
        most = {}  # bound pods of each job, at any time

        def look():
            for job in ("a", "b"):
                most[job] = max(most.get(job, 0), self.bound(scenario, job))
            return most

        scenario.wait("one is bound", lambda: max(look().values()) >= 4)
        first, second = sorted(most, key=lambda job: -most[job])
        scenario.wait("the other cannot be", lambda: look() and self.cannot_be_scheduled(scenario, second))
        self.assertEqual(most[second], 0, scenario.report())
        self.assertEqual(self.group(scenario, first)["spec"]["schedulingPolicy"]["gang"]["minCount"], 4)
        scenario.api.delete(f"{scenario.jobs_path}/{first}")
        scenario.forget(first)
        scenario.wait("then it is", lambda: self.bound(scenario, second) >= 4)
        scenario.wait("and it trains", lambda: scenario.training(second).iteration > 5)

    def test_a_stopped_job_starts_again_with_the_minimum_that_it_has_then(self):
        scenario = self.scenario(capacity=5)
        self.schedule(scenario)
        scenario.started()
        scenario.apply("a", iterations=10**9, least=2, most=4)
        scenario.wait("it trains with all", lambda: self.bound(scenario, "a") == 5)
        scenario.api.patch(f"{scenario.jobs_path}/a", {"spec": {"suspend": True}})
        scenario.wait("it is stopped", lambda: not scenario.pods())
        scenario.api.patch(f"{scenario.jobs_path}/a", {"spec": {"suspend": False, "workers": {"minReplicas": 3}}})
        scenario.specs["a"] = scenario.job("a")["spec"]
        scenario.wait("it trains again", lambda: self.bound(scenario, "a") >= 4)
        self.assertEqual(self.group(scenario, "a")["spec"]["schedulingPolicy"]["gang"]["minCount"], 4)


if __name__ == "__main__":
    main()
