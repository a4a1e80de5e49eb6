"""Rows 14, 15, 18 and 20: pods fail, people and other programs interfere, the operator is replaced."""
import os
import re
import threading
import time

from harness.parallel import each
from proxy import Answer, Hold
from rows import Rows, main
from scenario import CONTROLLER, FIRST_TOKEN

# Of the release before, where there is one; else this program stands for both, with other settings.
OTHER_CONTROLLER = os.environ.get("SLAQ_OTHER_CONTROLLER", CONTROLLER)

LATER_TOKENS = ("token-2b7c", "token-3d9e")
WAITING_JOBS = int(os.environ.get("SLAQ_PERTURB_JOBS", 1000))
CHART_MEMORY = 256  # MiB, the limit in charts/slaq/values.yaml

FORBIDDEN = Answer(403, body=b'{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Forbidden",'
                             b'"message":"slaq may not do that","code":403}')
UNAUTHORIZED = Answer(401, body=b'{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Unauthorized",'
                                b'"message":"Unauthorized","code":401}')


class People(Rows):
    def calm(self, scenario, epochs=40):
        """How many workers' Jobs are changed in so many epochs."""
        before = sum(scenario.writes().values())
        scenario.settle(epochs)
        return sum(scenario.writes().values()) - before

    def test_14_workers_that_find_no_node_do_not_make_it_flap(self):
        scenario = self.scenario()
        scenario.started()
        full = lambda pod: (not pod["spec"].get("nodeName") and pod["metadata"]["name"].startswith("a-workers-4"))
        scenario.node.broken.append(full)
        self.addCleanup(scenario.node.broken.remove, full)
        scenario.apply("a", iterations=100000)
        scenario.wait("four of five run", lambda: scenario.status("a").get("readyReplicas") == 4)
        scenario.settle(15)
        self.assertLessEqual(self.calm(scenario), 2, scenario.report())
        self.assertEqual(scenario.status("a").get("readyReplicas"), 4)

    def test_14_pods_that_may_not_be_created_are_told_and_take_no_cores_from_others(self):
        scenario = self.scenario(capacity=4)
        scenario.started()
        scenario.apply("a", iterations=100000, least=3, workers={"serviceAccountName": "trainer"})
        message = lambda: next((each["message"] for each in scenario.status("a").get("conditions", ())
                                if each["type"] == "Ready"), "")
        scenario.wait("it has the API server's words", lambda: 'serviceaccount "trainer" not found' in message())
        scenario.apply("b", iterations=60, least=3)
        scenario.wait("b has the cores", lambda: scenario.state("b") in ("Running", "Complete"))
        self.assertIn("its cores were given back", message())
        self.assertEqual(scenario.workers("a"), 0)

    def test_14_a_resource_quota_is_not_grown_beyond(self):
        scenario = self.scenario()
        core = f"/api/v1/namespaces/{scenario.namespace}"
        container = {"name": "main", "image": "other:1", "resources": {"requests": {"cpu": "1"}}}
        scenario.api.create(f"{core}/resourcequotas", {"metadata": {"name": "compute"},
                                                       "spec": {"hard": {"requests.cpu": "5"}}})
        quota = lambda: scenario.api.get(f"{core}/resourcequotas/compute").get("status", {})
        scenario.wait("the quota is in force", lambda: "hard" in quota())
        scenario.api.create(f"{core}/pods", {"metadata": {"name": "other"}, "spec": {"containers": [container]}})
        scenario.started()
        scenario.apply("a", iterations=100000)
        # Five cores: one of the other pod, one of the driver.
        scenario.wait("three workers run", lambda: scenario.status("a").get("readyReplicas") == 3)
        self.assertEqual(self.calm(scenario), 0, scenario.report())
        scenario.api.delete(f"{core}/pods/other", grace=0)
        scenario.wait("a fourth has come", lambda: scenario.status("a").get("readyReplicas") == 4)
        events = scenario.api.get(f"{core}/events")["items"]
        self.assertNotIn("FailedCreate", {event["reason"] for event in events}, scenario.report())

    def test_14_workers_that_die_are_replaced_and_told(self):
        scenario = self.scenario()
        scenario.started()
        scenario.apply("a", iterations=100000)
        scenario.wait("all run", lambda: scenario.status("a").get("readyReplicas") == 5)
        workers = [pod for pod in self.running(scenario) if "workers" in pod["metadata"]["name"]]
        is_new = lambda pod: pod["metadata"]["uid"] not in {each["metadata"]["uid"] for each in workers}
        scenario.node.broken.append(is_new)
        for pod in workers[:2]:
            scenario.api.delete(f"/api/v1/namespaces/{scenario.namespace}/pods/{pod['metadata']['name']}", grace=0)
        scenario.wait("the status says that two are missing", lambda: scenario.status("a").get("readyReplicas") == 3)
        scenario.node.broken.remove(is_new)
        scenario.wait("all run again", lambda: scenario.status("a").get("readyReplicas") == 5)
        self.assert_still(scenario)

    def test_15_another_who_edits_the_workers_is_not_fought_with(self):
        scenario = self.scenario()
        scenario.started()
        scenario.apply("a", iterations=100000)
        scenario.wait("all run", lambda: scenario.status("a").get("readyReplicas") == 5)
        path = f"/apis/batch/v1/namespaces/{scenario.namespace}/jobs/a-workers"
        before = sum(scenario.writes().values())
        for count in (2, 3, 2):
            scenario.api.patch(path, {"spec": {"parallelism": count, "completions": count}})
            scenario.settle(10)
        # One write for each edit, at most.
        self.assertLessEqual(sum(scenario.writes().values()) - before, 3, scenario.report())
        events = scenario.api.get(f"/api/v1/namespaces/{scenario.namespace}/events")["items"]
        self.assertIn("EditedElsewhere", {event["reason"] for event in events})

    def test_15_another_who_suspends_the_workers_is_not_fought_with(self):
        scenario = self.scenario()
        scenario.started()
        scenario.apply("a", iterations=100000)
        scenario.wait("all run", lambda: scenario.status("a").get("readyReplicas") == 5)
        path = f"/apis/batch/v1/namespaces/{scenario.namespace}/jobs/a-workers"
        scenario.api.patch(path + "?fieldManager=queue", {"spec": {"suspend": True}})
        ready = lambda: next(each for each in scenario.status("a")["conditions"] if each["type"] == "Ready")
        scenario.wait("it says who did it", lambda: "queue suspended the Job of its workers" in ready()["message"])
        self.assertEqual(ready()["reason"], "CannotStart")
        before = sum(scenario.writes().values())
        scenario.settle(40)
        self.assertEqual(sum(scenario.writes().values()), before, scenario.report())

    def test_15_a_deployment_that_a_job_names_is_sized_and_otherwise_left_as_it_is(self):
        scenario = self.scenario()
        scenario.started(targets="Deployment")
        scenario.deploy("d", workers=2)
        before = scenario.deployment("d")["spec"]
        scenario.wait("it has all six cores", lambda: scenario.status("d").get("readyReplicas") == 6)
        scenario.apply("a", iterations=100000)
        scenario.wait("it gives some to the other", lambda: scenario.workers("a") >= 2)
        scenario.training("a").total = scenario.training("a").iteration  # it is over
        # Until its end is known, the status of "d" may still be the one from before.
        scenario.wait("the other is done", lambda: scenario.state("a") == "Complete")
        scenario.wait("it has all again", lambda: scenario.status("d").get("readyReplicas") == 6)
        self.assertEqual({**before, "replicas": 6}, scenario.deployment("d")["spec"])
        self.assertEqual({each.split("/")[0] for each in scenario.writes() if "/d" in each}, {"PATCH deployments"})
        scenario.api.delete(f"/apis/apps/v1/namespaces/{scenario.namespace}/deployments/d")
        ready = lambda: next(each for each in scenario.status("d")["conditions"] if each["type"] == "Ready")
        scenario.wait("it says that its target is gone", lambda: "there is no Deployment" in ready()["message"])

    def test_15_another_who_sizes_a_deployment_again_and_again_is_left_to_it(self):
        scenario = self.scenario()
        scenario.started(targets="Deployment")
        scenario.deploy("d", workers=2)
        path = f"/apis/apps/v1/namespaces/{scenario.namespace}/deployments/d/scale?fieldManager=autoscaler"
        for _ in range(3):
            scenario.wait("slaq sizes it", lambda: scenario.deployment("d")["spec"]["replicas"] == 6)
            scenario.api.patch(path, {"spec": {"replicas": 3}})
        ready = lambda: next(each for each in scenario.status("d")["conditions"] if each["type"] == "Ready")
        scenario.wait("it says who sizes it too", lambda: "autoscaler sizes Deployment" in ready()["message"])
        self.assertEqual(self.calm(scenario), 0, scenario.report())
        self.assertEqual(scenario.deployment("d")["spec"]["replicas"], 3)
        # Its three workers hold three of six cores, and another job is not promised more than the rest.
        scenario.apply("a", iterations=100000)
        scenario.wait("the other gets the rest", lambda: scenario.status("a").get("readyReplicas") == 2)
        self.assertEqual(self.calm(scenario), 0, scenario.report())

    def test_17_a_token_that_was_changed_is_read_again(self):
        scenario = self.scenario()
        controller = scenario.controller()
        valid, refused = [FIRST_TOKEN], []

        def authenticate(request):
            if request.streams or request.token == valid[0]:
                return None
            refused.append(str(request))
            return UNAUTHORIZED

        controller.proxy.rules.append(authenticate)
        controller.start()
        scenario.apply("a", iterations=100000)
        scenario.wait("it runs", lambda: scenario.state("a") == "Running")
        for token in LATER_TOKENS:
            # As the kubelet does it: the new one is there before the old one ends.
            controller.token_file.write_text(token)
            scenario.settle(10)
            valid[0] = token
            scenario.settle(25)
        self.assertLessEqual(len(refused), 4, refused)
        scenario.apply("b", iterations=40, least=2, most=2)
        self.await_end(scenario, jobs=("b",))
        for token in (FIRST_TOKEN, *LATER_TOKENS):
            self.assertNotIn(token, controller.log())

    def test_18_a_right_that_is_taken_away_is_told_and_stops_no_other(self):
        scenario = self.scenario()
        controller = scenario.started()
        controller.proxy.rules.append(
            lambda request: FORBIDDEN if request.method == "POST" and request.place in ("services", "jobs") and b'"name":"a' in request.body else None)
        for job in ("a", "a2", "a3"):
            scenario.apply(job, iterations=50)
        scenario.settle(3)
        scenario.apply("b", iterations=60)
        scenario.wait("b starts", lambda: scenario.child("b-workers"))
        arrival = self.epoch_of(scenario, controller, rf"arrival epoch=(\d+) job={scenario.namespace}/b\b")
        start = self.epoch_of(scenario, controller, rf'action epoch=(\d+) action="start {scenario.namespace}/b\b')
        self.assertLessEqual(start - arrival, 2, scenario.report())
        self.await_end(scenario, jobs=("b",))
        # While it is tried again, it says for an epoch that it starts.
        scenario.wait("a says why", lambda: "slaq may not do that" in str(scenario.status("a")))
        controller.proxy.rules.clear()
        scenario.wait("a is started once it may be", lambda: scenario.state("a") in ("Running", "Complete"))

    @staticmethod
    def epoch_of(scenario, controller, event):
        find = lambda: re.search(f"event={event}", controller.log())
        scenario.wait("it is in the log", find)
        return int(find().group(1))

    def test_18_without_the_right_to_the_lease_the_log_says_so(self):
        scenario = self.scenario()
        controller = scenario.controller()
        controller.proxy.rules.append(lambda request: FORBIDDEN if request.is_lease else None)
        controller.start()
        scenario.apply("a", iterations=50)
        scenario.wait("the log says so", lambda: "event=election_failed" in controller.log())
        self.assertIsNone(controller.process.poll())
        self.assertEqual(controller.proxy.written(), [])
        controller.proxy.rules.clear()
        self.await_end(scenario, jobs=("a",))

    def test_19_a_restart_with_many_jobs_is_ready_once_it_knows_them_and_stays_small(self):
        scenario = self.scenario()
        scenario.apply("a", iterations=100000, least=5, most=5)
        controller = scenario.started()
        scenario.wait("a runs", lambda: scenario.status("a").get("readyReplicas") == 5)
        each(lambda number: scenario.apply(f"waiting-{number}"), range(WAITING_JOBS))
        scenario.wait("it knows them", lambda: f"jobs={WAITING_JOBS + 1}" in controller.log())
        before = scenario.writes()
        late = threading.Event()
        controller.proxy.rules.append(
            lambda request: None if late.is_set() or "trainingjobs?" not in request.path else Hold(late))
        controller.kill()
        known = len(controller.log())
        controller.start()
        scenario.wait("it serves", lambda: controller.telemetry("/healthz")[0] == 200)
        self.assertEqual(controller.telemetry("/readyz")[0], 503, "it does not know all jobs yet")
        late.set()
        scenario.wait("it is ready", lambda: controller.telemetry("/readyz")[0] == 200)
        scenario.settle(5)
        counts = re.findall(r"event=epoch epoch=\d+ jobs=(\d+)", controller.log()[known:])
        self.assertEqual(set(counts), {str(WAITING_JOBS + 1)})
        self.assertEqual(scenario.writes(), before, scenario.report()[:5000])
        for _ in range(3):
            self.assertEqual(controller.telemetry("/metrics")[0], 200)
        memory = re.search(r"VmHWM:\s+(\d+) kB", open(f"/proc/{controller.process.pid}/status").read())
        self.assertLess(int(memory.group(1)) / 1024, CHART_MEMORY, "MiB")

    def test_20_a_rolling_upgrade_scales_nothing(self):
        scenario = self.scenario()
        first = scenario.started()
        for job in ("a", "b"):
            scenario.apply(job, iterations=100000)
        scenario.wait("both run", lambda: all(
            scenario.status(job).get("readyReplicas") == 2 for job in ("a", "b")))
        self.assert_still(scenario)
        before = scenario.writes()
        for _ in range(2):
            second = scenario.started()
            scenario.wait("it is ready", lambda: second.telemetry("/readyz")[0] == 200)
            first.stop()
            scenario.wait("the new one leads", lambda: second.epochs() >= 20)
            first = second
        self.assertEqual(scenario.writes(), before, scenario.report())

    def test_20_two_versions_that_follow_one_another_start_nothing_again(self):
        # Another version may decide otherwise, so only c, whose size is open, may be changed by it.
        scenario = self.scenario(capacity=12)
        other = {"policy": "LookAhead", "epoch": 0.4}
        first = scenario.started()
        for job in ("a", "b"):
            scenario.apply(job, iterations=100000, least=2, most=2)
        scenario.apply("c", iterations=100000)
        scenario.wait("all run", lambda: all(
            scenario.status(job).get("readyReplicas", 0) >= 2 for job in ("a", "b", "c")))
        before = scenario.writes()
        for is_other in (True, False, True):
            second = scenario.started(OTHER_CONTROLLER, **other) if is_other else scenario.started()
            scenario.wait("both versions run", lambda: "event=serving" in second.log())
            scenario.settle(2)
            first.stop()
            scenario.wait("the new one leads", lambda: second.epochs() >= 8)
            first = second
        changed = {str(each) for each in scenario.writes() - before}
        self.assertLessEqual(changed, {"PATCH jobs/c-workers"}, scenario.report())
        for job in ("a", "b"):
            self.assertEqual(scenario.status(job).get("readyReplicas"), 2, scenario.report())


if __name__ == "__main__":
    main()
