"""Rows 4 to 11: the API server and the Lease misbehave."""
import collections
import pathlib
import re
import signal
import subprocess
import tempfile
import time

from harness.parallel import each
from proxy import Answer, CutAfter, LoseReply, Refuse, Silence, times
from rows import Rows, main

STORM_SECONDS = 5
MOST_A_SECOND = 10  # requests


class Server(Rows):
    def started(self, **settings):
        scenario = self.scenario(**settings)
        return scenario, scenario.started()

    def test_04_a_job_made_again_under_its_name_has_no_history(self):
        scenario, _ = self.started()
        scenario.apply("a", iterations=1000)
        scenario.wait("its loss was read", lambda: scenario.training("a").iteration > 60)
        scenario.api.delete(f"{scenario.jobs_path}/a")
        scenario.wait("it is gone", lambda: not scenario.job("a"))
        scenario.apply("a", iterations=1000)
        ahead = lambda: scenario.status("a").get("progress", {}).get("iteration", 0) - scenario.training("a").iteration
        end = time.monotonic() + 8
        while time.monotonic() < end:
            self.assertLess(ahead(), 5, scenario.report())
            time.sleep(0.1)
        self.assertNotEqual(scenario.condition("a", "Complete").get("status"), "True")

    def test_05_a_watch_that_is_too_old_is_listed_again(self):
        scenario, controller = self.started()
        controller.proxy.rules.append(times(6, Answer(410), lambda request: request.is_watch))
        self.run_to_the_end(scenario)
        self.assert_still(scenario)

    def test_05_a_version_that_is_too_old_for_good_is_not_asked_for_again(self):
        scenario = self.scenario()
        controller = scenario.controller()
        dead = collections.defaultdict(set)  # the first two versions of each collection

        def too_old(request):
            if not request.is_watch or request.streams:
                return None
            versions = dead[request.path.split("?")[0]]
            version = re.search(r"resourceVersion=(\d+)", request.path).group(1)
            if len(versions) < 2:
                versions.add(version)
            return Answer(410) if version in versions else None

        controller.proxy.rules.append(too_old)
        controller.start()
        self.run_to_the_end(scenario)
        self.assertGreater(len(dead), 2)

    def test_05_an_error_event_in_the_stream_is_listed_again(self):
        gone = b'{"type":"ERROR","object":{"kind":"Status","code":410,"reason":"Expired","message":"too old"}}\n'
        scenario, controller = self.started()
        controller.proxy.rules.append(times(6, Answer(200, body=gone), lambda request: request.is_watch))
        self.run_to_the_end(scenario)
        self.assert_still(scenario)

    def test_06_a_watch_that_is_cut_within_a_line_goes_on(self):
        scenario, controller = self.started()
        controller.proxy.rules.append(times(9, CutAfter(1500), lambda request: request.is_watch and not request.streams))
        self.run_to_the_end(scenario)
        self.assert_still(scenario)

    def test_06_a_watch_that_falls_silent_is_opened_again(self):
        """Nothing closes it, and nothing comes: only a limit of silence helps."""
        scenario = self.scenario()
        controller = scenario.controller()
        controller.proxy.rules.append(times(3, Silence(), lambda request: request.is_watch and not request.streams))
        controller.start()
        scenario.apply("a", iterations=60)
        scenario.wait("a is complete", lambda: scenario.state("a") == "Complete")

    def test_07_a_storm_of_errors_passes(self):
        each(self.storm, (429, 500, 503, 504))

    def storm(self, status):
        scenario = self.scenario(f"-{status}")
        controller = scenario.started()
        scenario.apply("a", iterations=600)
        scenario.wait("a runs", lambda: scenario.state("a") == "Running")
        headers = {"Retry-After": "1"} if status == 429 else {}
        asked = []

        def storm(request):
            # The lease stays, so that the storm meets a leader that has something to write.
            if request.is_lease or request.streams:
                return None
            asked.append(request)
            return Answer(status, headers)

        begun = time.monotonic()
        controller.proxy.rules.append(storm)
        scenario.apply("b", iterations=40)
        scenario.wait("the storm has met it",
                      lambda: len(asked) > 2 and time.monotonic() - begun > STORM_SECONDS)
        controller.proxy.rules.remove(storm)
        self.assertLess(len(asked) / (time.monotonic() - begun), MOST_A_SECOND, f"a storm of its own at {status}")
        self.await_end(scenario)
        self.assertIsNone(controller.process.poll())
        self.assert_still(scenario)

    def test_08_a_write_whose_reply_is_lost_has_no_second_effect(self):
        calm = self.scenario("-calm")
        calm.started()
        self.run_to_the_end(calm)
        scenario, controller = self.started()
        lost = set()

        def each_once(request):
            if not request.is_write or request.is_lease or str(request) in lost:
                return None
            lost.add(str(request))
            return LoseReply()

        controller.proxy.rules.append(each_once)
        self.run_to_the_end(scenario)
        self.assertGreater(len(lost), 5)
        self.assertEqual(scenario.end_state(), calm.end_state(), scenario.report())
        self.assertEqual(scenario.writes(), calm.writes(), scenario.report())

    def test_09_conflicts_are_decided_again(self):
        scenario, controller = self.started()
        count = [0]

        def every_second(request):
            if request.method != "PATCH" or request.is_lease:
                return None
            count[0] += 1
            return Answer(409) if count[0] % 2 else None

        controller.proxy.rules.append(every_second)
        self.run_to_the_end(scenario)
        self.assertGreater(count[0], 5)
        controller.proxy.rules.clear()
        scenario.settle(20)
        self.assert_still(scenario)

    def test_10_a_leader_that_is_cut_off_writes_nothing_when_it_is_back(self):
        scenario, first = self.started()
        scenario.apply("a", iterations=300)
        scenario.wait("a runs", lambda: scenario.state("a") == "Running")
        second = scenario.started()
        cut_off = lambda request: Refuse()
        first.proxy.rules.append(cut_off)
        scenario.wait("the second leads", lambda: second.epochs() > 0)
        before = len(first.proxy.written())  # with what was on its way
        answered = []
        first.proxy.afterwards.append(lambda request, status: answered.append(request))
        first.proxy.rules.remove(cut_off)
        scenario.wait("the first is connected again", lambda: answered)
        scenario.apply("b", iterations=60)
        self.await_end(scenario)
        self.assertEqual(first.proxy.written()[before:], [], scenario.report())
        self.assert_still(scenario)

    def test_10_a_leader_that_stood_still_writes_nothing_when_it_is_back(self):
        scenario, first = self.started()
        scenario.apply("a", iterations=300)
        scenario.wait("a runs", lambda: scenario.state("a") == "Running")
        second = scenario.started()
        first.signal(signal.SIGSTOP)
        scenario.wait("the second leads", lambda: second.epochs() > 0)
        before = len(first.proxy.written())  # with what was on its way
        scenario.apply("b", iterations=60)
        first.signal(signal.SIGCONT)
        self.await_end(scenario)
        self.assertEqual(first.proxy.written()[before:], [], scenario.report())
        self.assert_still(scenario)

    def test_11_a_lease_that_is_deleted_or_stolen_leaves_one_writer(self):
        scenario, first = self.started()
        lease = f"/apis/coordination.k8s.io/v1/namespaces/{scenario.namespace}/leases/slaq"
        scenario.apply("a", iterations=300)
        scenario.wait("a runs", lambda: scenario.state("a") == "Running")
        scenario.api.delete(lease)
        scenario.wait("the lease is held again", lambda: (scenario.api.get(lease) or {}).get("spec", {}).get("holderIdentity"))
        lapses = first.log().count("does not lead any more")
        scenario.api.patch(lease, {"spec": {"holderIdentity": "thief"}})
        # It renews its lease several times within the lease's length, and finds out then.
        scenario.wait("it knows", lambda: first.log().count("does not lead any more") > lapses)
        # What it writes while the thief's lease runs is found at the end: nobody but a leader may write.
        scenario.apply("b", iterations=60)
        self.await_end(scenario)

    def test_11_a_lapse_of_the_lease_loses_nothing_that_was_learned(self):
        scenario, controller = self.started()
        scenario.apply("a", iterations=100000)
        scenario.wait("it is forecast", lambda: scenario.condition("a", "ModelFitted").get("status") == "True")
        refusing = lambda request: Answer(500) if request.is_lease else None
        lapses = controller.log().count("does not lead any more")
        controller.proxy.rules.append(refusing)
        scenario.wait("it does not lead", lambda: controller.log().count("does not lead any more") > lapses)
        terms = controller.log().count("leads now")
        controller.proxy.rules.remove(refusing)
        scenario.wait("it leads again", lambda: controller.log().count("leads now") > terms)
        scenario.settle(15)
        self.assertEqual(controller.log().count("event=arrival"), 1, scenario.report())

    def hand_over(self, first, second, **settings):
        """Two controllers by other clocks, of which each loses its lease in its turn, but no other write: only its
        clock keeps it from writing then."""
        scenario = self.scenario(**settings)
        one, two = scenario.controller(), scenario.controller()
        one.environment, two.environment = first, second
        one.start()
        scenario.apply("a", iterations=100000)
        scenario.wait("a runs", lambda: scenario.state("a") == "Running")
        two.start()
        for number, (leads, waits) in enumerate(((one, two), (two, one), (one, two))):
            held = waits.log().count("leads now")
            refusing = lambda request: Answer(500) if request.is_lease else None
            leads.proxy.rules.append(refusing)
            # A job comes, so that there is something to write at the very time of the change.
            scenario.apply(f"b{number}", iterations=40)
            scenario.wait("the other leads", lambda: waits.log().count("leads now") > held)
            self.await_end(scenario, jobs=(f"b{number}",))
            leads.proxy.rules.remove(refusing)

    def test_11_clocks_at_other_rates_leave_one_writer(self):
        # A lease lasts one and a half times as long as its holder writes without renewing it: that is how much faster
        # a clock may go than another.
        self.hand_over(clock(rate=0.85), clock(rate=1.15))

    def test_11_clocks_that_are_hours_off_leave_one_writer(self):
        self.hand_over(clock(offset=-2 * 3600), clock(offset=3 * 3600))


def clock(rate=1, offset=0):
    """The environment of a process that has another clock."""
    library = tempfile.mkdtemp() + "/clock.so"
    subprocess.run(["cc", "-O1", "-shared", "-fPIC", "-o", library, pathlib.Path(__file__).with_name("clock.c")], check=True)
    return {"LD_PRELOAD": library, "SLAQ_CLOCK_RATE": str(rate), "SLAQ_CLOCK_OFFSET": str(offset)}


if __name__ == "__main__":
    main()
