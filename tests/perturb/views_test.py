"""Rows 2, 3 and 5: a controller sees less than there is, or what there was."""
import json
import re
import threading
import time

from proxy import Answer, Hold, times
from rows import Rows, main

TYPES = ("apis/slaq.io/v1alpha1/{}/trainingjobs", "apis/batch/v1/{}/jobs", "api/v1/{}/pods", "api/v1/{}/services")


class Views(Rows):
    def view(self, scenario):
        """What lists say now, by path."""
        paths = ["/" + each.format(f"namespaces/{scenario.namespace}") for each in TYPES]
        return {path: json.dumps(scenario.api.get(path)).encode() for path in paths}

    def restart_with(self, view, scenario, controller, last=None):
        """Nothing but the old view is to be had until the new process has led for some epochs; what came after it comes
        then, and on the watch of the resource `last` only after some epochs more."""
        is_over, is_all = threading.Event(), threading.Event()

        def old(request):
            path = request.path.split("?")[0]
            is_list = request.method == "GET" and not request.is_watch and path in view
            return Answer(200, body=view[path]) if is_list and not is_over.is_set() else None

        def late(request):
            until = is_all if last and request.place == last else is_over
            return Hold(until) if request.is_watch and not request.streams and not until.is_set() else None

        controller.proxy.rules += [old, late]
        controller.kill()
        first, known = scenario.epochs(), len(controller.log())
        controller.start()
        scenario.wait("it decides by the old view", lambda: scenario.epochs() - first >= 2)
        jobs = sum(len(json.loads(each)["items"]) for path, each in view.items() if path.endswith("trainingjobs"))
        self.assertEqual(int(re.search(r"event=epoch epoch=\d+ jobs=(\d+)", controller.log()[known:]).group(1)), jobs,
                         "it did not decide by the old view")
        is_over.set()
        if last:
            known = scenario.epochs()
            scenario.wait("it decides by what the other watches brought", lambda: scenario.epochs() - known >= 3)
        is_all.set()
        scenario.settle(20)

    def test_02_a_shrink_is_not_undone_before_the_job_it_was_made_for_is_seen(self):
        scenario = self.scenario()
        controller = scenario.started()
        scenario.apply("a", iterations=100000)
        scenario.wait("a has all cores", lambda: scenario.status("a").get("readyReplicas") == 5)
        view = self.view(scenario)
        scenario.apply("b", iterations=100000)
        scenario.wait("both run", lambda: all(scenario.status(job).get("readyReplicas") == 2 for job in ("a", "b")))
        before = scenario.writes()
        self.restart_with(view, scenario, controller, last="trainingjobs")
        self.assertEqual(scenario.writes(), before, scenario.report())

    def test_02_a_restart_against_an_older_view_changes_nothing(self):
        scenario = self.scenario()
        controller = scenario.started()
        scenario.apply("a", iterations=100000)
        views = [self.view(scenario)]  # nothing of it runs yet, or hardly anything
        scenario.wait("a has all cores", lambda: scenario.status("a").get("readyReplicas") == 5)
        self.assert_changes_nothing(views[0], scenario, controller)
        views.append(self.view(scenario))
        scenario.apply("b", iterations=100000)
        scenario.wait("both run", lambda: all(scenario.status(job).get("readyReplicas") == 2 for job in ("a", "b")))
        views.append(self.view(scenario))
        for view in views[1:]:
            self.assert_changes_nothing(view, scenario, controller)

    def assert_changes_nothing(self, view, scenario, controller):
        before = scenario.writes()
        self.restart_with(view, scenario, controller)
        self.assertEqual(scenario.writes(), before, scenario.report())

    def test_02_an_older_view_of_a_job_that_is_gone_brings_nothing_back(self):
        scenario = self.scenario()
        controller = scenario.started()
        scenario.apply("a", iterations=100000)
        scenario.apply("b", iterations=100000)
        scenario.wait("both run", lambda: all(scenario.status(job).get("readyReplicas") == 2 for job in ("a", "b")))
        view = self.view(scenario)
        scenario.api.delete(f"{scenario.jobs_path}/b")
        scenario.wait("a has all cores", lambda: scenario.status("a").get("readyReplicas") == 5)
        made = lambda: {what: count for what, count in scenario.writes().items() if what.startswith("POST")}
        before = made()
        self.restart_with(view, scenario, controller)
        # The watches come in any order: b may seem to wait for the cores that its workers had.
        self.assertEqual(made(), before, scenario.report())
        self.assertIsNone(scenario.child("b-workers"))
        scenario.wait("a has all cores again", lambda: scenario.status("a").get("readyReplicas") == 5)

    def test_02_an_older_view_of_a_job_that_waited_does_not_start_it_when_it_is_gone(self):
        scenario = self.scenario()
        controller = scenario.started()
        scenario.apply("a", iterations=100000, most=2)  # there are cores for the other at once
        scenario.wait("a runs", lambda: scenario.status("a").get("readyReplicas") == 2)
        controller.stop()
        scenario.apply("b", iterations=100000)
        view = self.view(scenario)
        scenario.api.delete(f"{scenario.jobs_path}/b")
        before = scenario.writes()
        self.restart_with(view, scenario, controller)
        self.assertEqual(scenario.writes(), before, scenario.report())
        self.assertIsNone(scenario.child("b-workers"))

    def test_02_who_takes_the_lease_lists_what_its_watches_have_not_brought(self):
        scenario = self.scenario()
        first = scenario.controller()
        goes_on = threading.Event()

        def held_up(request):
            creates = request.method == "POST" and request.place in ("services", "jobs")
            return Answer(500) if creates and not goes_on.is_set() else None

        first.proxy.rules.append(held_up)
        first.start()
        scenario.wait("the first leads", lambda: first.epochs() > 0)
        scenario.apply("a", iterations=100000)
        second = scenario.started()
        scenario.wait("the second is ready", lambda: second.telemetry("/readyz")[0] == 200)
        # From here on it hears of nothing: as it knows, all cores are free, and a is to have them.
        second.proxy.keeps = lambda request, line: False
        goes_on.set()
        scenario.wait("a runs", lambda: scenario.status("a").get("readyReplicas") == 5)
        scenario.api.patch(f"{scenario.jobs_path}/a", {"spec": {"suspend": True}})
        scenario.apply("b", iterations=100000)
        scenario.wait("b has all cores", lambda: scenario.status("b").get("readyReplicas") == 5)
        before = scenario.writes()
        first.stop()
        scenario.wait("the second decides", lambda: second.epochs() >= 5)
        self.assertEqual(scenario.writes(), before, scenario.report())
        self.assertEqual((scenario.workers("a"), scenario.workers("b")), (0, 5))

    def test_03_what_happened_and_was_undone_unseen_does_no_harm(self):
        scenario = self.scenario()
        controller = scenario.started()
        scenario.apply("a", iterations=100000)
        scenario.wait("a has all cores", lambda: scenario.status("a").get("readyReplicas") == 5)
        before = scenario.writes()
        lost = []
        controller.proxy.keeps = lambda request, line: bool(lost.append(line))  # never
        workers = f"/apis/batch/v1/namespaces/{scenario.namespace}/jobs/a-workers"
        # The Job controller removes and creates the pods of the highest indexes.
        scenario.api.patch(workers, {"spec": {"parallelism": 3, "completions": 3}})
        scenario.wait("it happens", lambda: scenario.child("a-workers")["status"].get("active") == 3)
        scenario.api.patch(workers, {"spec": {"parallelism": 5, "completions": 5}})
        scenario.apply("brief")
        scenario.api.delete(f"{scenario.jobs_path}/brief")
        # Whatever comes later would tell what was missed.
        scenario.wait("five pods run, and nothing is on its way", lambda: len(self.running(scenario)) == 6 and all(
            self.rests(scenario) and not time.sleep(0.2) for _ in range(10)))
        controller.proxy.keeps = lambda request, line: True
        self.assertGreater(len(lost), 4)
        scenario.settle(20)
        self.assertEqual(scenario.writes(), before, scenario.report())
        # It still knows two pods that are gone, so there seems to be no room for another job. Then it sees that their Job counts
        # fewer pods, and lists them again.
        scenario.apply("b", iterations=40, least=2, most=2)
        self.await_end(scenario, jobs=("b",))

    @staticmethod
    def rests(scenario):
        status = scenario.child("a-workers")["status"]
        return (status.get("ready") == 5 and not status.get("terminating")
                and not any((status.get("uncountedTerminatedPods") or {}).values()))

    def test_05_a_list_that_expires_between_two_pages_begins_again(self):
        scenario = self.scenario()
        for number in range(520):
            scenario.apply(f"idle-{number}", suspend=True)
        scenario.apply("a", iterations=40)
        controller = scenario.controller()
        expired = []
        within = lambda request: "continue=" in request.path and not expired.append(request.path)
        controller.proxy.rules.append(times(1, Answer(410), within))
        controller.start()
        # Its end is written before the other statuses that wait.
        scenario.wait("a is complete", lambda: scenario.state("a") == "Complete")
        self.assertGreater(len(expired), 1, "the list had one page only")


if __name__ == "__main__":
    main()
