"""Rows 2, 3 and 5: a controller sees less than there is, or what there was."""
import json
import time

from proxy import Answer, Delay, times, until
from rows import Rows, main

TYPES = ("apis/slaq.io/v1alpha1/{}/trainingjobs", "apis/batch/v1/{}/jobs", "api/v1/{}/pods", "api/v1/{}/services")


class Views(Rows):
    def view(self, scenario):
        """What lists say now, by path."""
        paths = ["/" + each.format(f"namespaces/{scenario.namespace}") for each in TYPES]
        return {path: json.dumps(scenario.api.get(path)).encode() for path in paths}

    def restart_with(self, view, scenario, controller):
        """For three seconds nothing but the old view is to be had; what came after it comes then."""
        def old(request):
            path = request.path.split("?")[0]
            return Answer(200, body=view[path]) if not request.is_watch and path in view else None

        end = time.monotonic() + 6
        controller.proxy.rules += [lambda request: old(request) if time.monotonic() < end else None,
                                   until(end, Delay(3), lambda request: request.is_watch)]
        controller.kill()
        first = scenario.epochs()
        controller.start()
        scenario.wait("it decides by the old view", lambda: scenario.epochs() - first >= 2)
        scenario.settle(8)

    def test_02_a_restart_against_an_older_view_changes_nothing(self):
        scenario = self.scenario()
        controller = scenario.started()
        scenario.apply("a", iterations=100000)
        views = [self.view(scenario)]  # nothing of it is there yet, or hardly anything
        scenario.wait("a has all cores", lambda: scenario.workers("a") == 5)
        views.append(self.view(scenario))
        scenario.apply("b", iterations=100000)
        scenario.wait("both run", lambda: all(scenario.status(job).get("readyReplicas") == 2 for job in ("a", "b")))
        views.append(self.view(scenario))
        for number, view in enumerate(views):
            with self.subTest(view=number):
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
        before = scenario.writes()
        self.restart_with(view, scenario, controller)
        self.assertEqual(scenario.writes(), before, scenario.report())
        self.assertIsNone(scenario.child("b-workers"))

    def test_03_what_happened_and_was_undone_unseen_does_no_harm(self):
        scenario = self.scenario()
        controller = scenario.started()
        scenario.apply("a", iterations=100000)
        scenario.wait("a has all cores", lambda: scenario.status("a").get("readyReplicas") == 5)
        before = scenario.writes()
        lost = []
        controller.proxy.keeps = lambda request, line: bool(lost.append(line))  # never
        workers = f"/apis/batch/v1/namespaces/{scenario.namespace}/jobs/a-workers"
        scenario.api.patch(workers, {"spec": {"parallelism": 3}})
        time.sleep(1)
        scenario.api.patch(workers, {"spec": {"parallelism": 5}})
        scenario.apply("brief")
        scenario.api.delete(f"{scenario.jobs_path}/brief")
        scenario.wait("five pods run", lambda: len(self.running(scenario)) == 6)
        controller.proxy.keeps = lambda request, line: True
        self.assertGreater(len(lost), 4)
        scenario.settle(5)
        self.assertEqual(scenario.writes(), before, scenario.report())
        # Of two of the five workers it knows the names of pods that are gone, until it lists again.
        scenario.apply("b", iterations=40, least=2, most=2)
        self.await_end(scenario, jobs=("b",))

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
        scenario.wait("a is complete", lambda: scenario.state("a") == "Complete", 60)
        self.assertGreater(len(expired), 1, "the list had one page only")


if __name__ == "__main__":
    main()
